/**
 * What another user notices while an account with many devices, or a swarm with many members, is deleted:
 * `npm run bench -- deletion`, with `COUNT` (100,000) and `ROOT`, the checkout whose server is measured. `STORE=postgres`: on PostgreSQL.
 * The other user creates a device every 20 ms. Times are in milliseconds.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startPostgres } from '../../.tools/postgres.ts';
import { machine, percentile, post, send, signUp, sleep, type TestUser } from './harness.ts';
import type { Inside } from './loop-delay.ts';
import { startServer } from './stored-fleet.ts';

const count = Number(process.env['COUNT'] ?? 100_000);
const root = process.env['ROOT'] ?? join(import.meta.dirname, '../..');
const timeoutMs = 300_000;
const filledAtOnce = 5000;

async function stop(server: Awaited<ReturnType<typeof startServer>>['server']) {
  server.kill('SIGTERM');
  await once(server, 'exit');
}

interface Store {
  write(statements: { sql: string; params: string[] }[]): Promise<unknown>;
  close(): Promise<void>;
}

/** Every device of `owner` is in the swarm. Written by the code of `root`, which has migrated the tables. */
async function fill(url: string, { owner, swarm }: { owner: string; swarm: string }) {
  const file = pathToFileURL(join(root, 'bff/src/core/store/open.ts')).href;
  const { openStore } = (await import(file)) as { openStore: (store: { url: string }) => Promise<Store> };
  const db = await openStore({ url });
  const at = '2026-01-02T03:04:05.678Z';
  for (let from = 1; from <= count; from += filledAtOnce) {
    const numbers = Array.from({ length: Math.min(filledAtOnce, count - from + 1) }, (_, index) => from + index);
    const ids = numbers.map((n) => `019a7c51-5d0e-7c1c-8a4e-${String((n * 7919) % 1_000_003).padStart(12, '0')}`);
    await db.write([
      {
        sql: `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded,
                longitude, latitude)
              SELECT value, $1, 'Sensor', 'pc', $2, $2, 1, 'sensor', 'sensor', 8, 47 FROM elements($3)`,
        params: [owner, at, JSON.stringify(ids)],
      },
      {
        sql: `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since)
              SELECT $1, value, 'both', $2 FROM elements($3)`,
        params: [swarm, at, JSON.stringify(ids)],
      },
    ]);
  }
  await db.close();
}

async function measure(what: 'account' | 'swarm') {
  const data = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
  const postgres = process.env['DATABASE_URL'] ? await startPostgres({ isDurable: true }) : undefined;
  if (postgres) process.env['DATABASE_URL'] = postgres.url;
  const starting = { data, root };
  let { server, origin } = await startServer(starting);
  try {
    const gone = await signUp(origin, 'gone');
    const other = await signUp(origin, 'other');
    const holder = what === 'account' ? other : gone;
    const made = await post(`${origin}/service/swarms`, holder.key, { name: 'Harbour', description: '' });
    const { id: swarm } = (await made.json()) as { id: string };
    await stop(server);
    const url = postgres?.url ?? pathToFileURL(join(data, 'swarmdeck.db')).href;
    await fill(url, { owner: what === 'account' ? 'gone' : 'other', swarm });
    ({ server, origin } = await startServer(starting));

    const stream = await fetch(`${origin}/service/events`, { headers: other.key });
    const reading = stream.body!.pipeTo(new WritableStream()).catch(() => {});
    const writes: number[] = [];
    const failed: string[] = [];
    const write = async () => {
      const from = performance.now();
      const body = { name: 'Written meanwhile', machine_type: 'pc' };
      await post(`${origin}/service/resources`, other.key, body).catch((error: unknown) => failed.push(String(error)));
      writes.push(performance.now() - from);
    };
    const inside = async () => {
      server.send('inside');
      return (await once(server, 'message'))[0] as Inside;
    };
    const ticking = setInterval(() => void write(), 20);
    await sleep(2000);
    const before = writes.splice(0);
    await inside();
    const from = performance.now();
    await remove(what, { origin, gone, swarm });
    const took = performance.now() - from;
    const { held, turns } = await inside();
    clearInterval(ticking);
    await sleep(500);
    const round = (value: number) => Math.round(value);
    console.log(`${what} of ${count.toLocaleString('en')}: deleted after ${round(took)} ms`);
    console.log(
      `  another user's writes before: p50 ${round(percentile(before, 0.5))}, p99 ${round(percentile(before, 0.99))}`,
    );
    console.log(
      `  during (${writes.length}): p50 ${round(percentile(writes, 0.5))}, p99 ${round(percentile(writes, 0.99))}, max ${round(Math.max(...writes))}; failed: ${failed.length}`,
    );
    console.log(`  event loop held up: max ${round(held.max)}; longest turn in processor time ${round(turns.max)}`);
    await stop(server);
    await reading;
  } finally {
    server.kill('SIGKILL');
    await postgres?.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function remove(
  what: 'account' | 'swarm',
  { origin, gone, swarm }: { origin: string; gone: TestUser; swarm: string },
) {
  if (what === 'swarm') return send('DELETE', `${origin}/service/swarms/${swarm}`, gone.key);
  const body = { user_id: 'gone' };
  return send('DELETE', `${origin}/api/account`, gone.session, body);
}

setTimeout(() => {
  console.error('gave up');
  process.exit(1);
}, timeoutMs).unref();
console.log(machine());
await measure('account');
await measure('swarm');

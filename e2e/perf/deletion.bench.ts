/**
 * What another user notices while an account with many devices, or a swarm with many members, is deleted:
 * `node e2e/perf/deletion.bench.ts`, with `COUNT` (100,000) and `ROOT`, the checkout whose server is measured.
 * The other user creates a device every 20 ms. Times are in milliseconds.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { machine, percentile, post, send, signUp, sleep, type TestUser } from './harness.ts';
import type { Inside } from './loop-delay.ts';
import { startServer } from './stored-fleet.ts';

const count = Number(process.env['COUNT'] ?? 100_000);
const root = process.env['ROOT'];
const timeoutMs = 120_000;

async function stop(server: Awaited<ReturnType<typeof startServer>>['server']) {
  server.kill('SIGTERM');
  await once(server, 'exit');
}

/** Every device of `owner` is in the swarm. */
function fill(data: string, { owner, swarm }: { owner: string; swarm: string }) {
  const db = new DatabaseSync(join(data, 'swarmdeck.db'));
  const numbers = 'WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)';
  const id = `printf('019a7c51-5d0e-7c1c-8a4e-%012d', (n * 7919) % 1000003)`;
  const at = `'2026-01-02T03:04:05.678Z'`;
  db.prepare(
    `${numbers} INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key,
       name_folded, longitude, latitude)
     SELECT ${id}, ?1, 'Sensor ' || n, 'pc', ${at}, ${at}, 1, 'sensor', 'sensor', n % 180, n % 90 FROM numbers`,
  ).run(owner, count);
  db.prepare(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since)
     SELECT ?, id, 'both', ${at} FROM resources WHERE user_id = ?`,
  ).run(swarm, owner);
  db.close();
}

async function measure(what: 'account' | 'swarm') {
  const data = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
  const starting = { data, ...(root && { root }) };
  let { server, origin } = await startServer(starting);
  try {
    const gone = await signUp(origin, 'gone');
    const other = await signUp(origin, 'other');
    const holder = what === 'account' ? other : gone;
    const made = await post(`${origin}/service/swarms`, holder.key, { name: 'Harbour', description: '' });
    const { id: swarm } = (await made.json()) as { id: string };
    await stop(server);
    fill(data, { owner: what === 'account' ? 'gone' : 'other', swarm });
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
process.exit(0);

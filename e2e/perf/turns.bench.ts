/**
 * `npm run bench -- turns`: the longest turn of each thread of a server on SQLite, in processor time, which other programs on the machine
 * do not change, while jobs and streams have much to do: 100,000 devices of one user, 50,000 of them in a swarm that links show, 400,000 steps
 * of values, 10,000 consents that end in one moment and 2,000 mails for a server that is away. `SCALE` (1): a part of that.
 * Prints a table; asserts nothing.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ActionHistory, NewShareLink, Swarm } from '@swarmdeck/bff/contract';
import { each, machine, post, send, signUp, sleep, type TestUser } from './harness.ts';
import type { Inside } from './loop-delay.ts';
import { startServer } from './stored-fleet.ts';

const scale = Number(process.env['SCALE'] ?? 1);
const amounts = {
  devices: 100_000 * scale,
  members: 50_000 * scale,
  steps: 400_000 * scale,
  ends: 10_000 * scale,
  mails: 2000 * scale,
};
const deleted = 5000 * scale;
const moved = 1000 * scale;
/** In ms: the consents end so long after the data is stored. */
const endsAfter = 120_000;
const goalMs = 15;
const threadNames = ['main', 'read', 'index', 'write'] as const;
const data = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
const execArgv = ['--max-semi-space-size=16'];
const env = {
  TRUSTED_PROXIES: '127.0.0.1',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'swarmdeck@example.org',
};
const idOf = (n: number) => `019a7c51-5d0e-7c1c-8a4e-${String(n).padStart(12, '0')}`;
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

async function stop(server: ChildProcess) {
  server.kill('SIGTERM');
  await once(server, 'exit');
}

/** The users sign up on a server that is then stopped, and the data is stored. */
async function prepare() {
  const { server, origin } = await startServer({ data, execArgv });
  const [owner, ...others] = await each(['ann', 'bob', 'cai', 'dee', 'eve'], (name) => signUp(origin, name));
  const made = await post(`${origin}/service/swarms`, owner!.key, { name: 'Harbour', description: '' });
  const swarm = (await made.json()) as Swarm;
  await stop(server);
  const endsAt = Date.now() + endsAfter;
  const filler = fork(join(import.meta.dirname, '../../bff/src/tests/turns-bench.fixture.ts'));
  filler.send({
    url: pathToFileURL(join(data, 'swarmdeck.db')).href,
    owner: owner!.name,
    others: others.map(({ name }) => name),
    swarm: swarm.id,
    ...amounts,
    endsAt: new Date(endsAt).toISOString(),
  });
  const [code] = (await once(filler, 'exit')) as [number];
  if (code !== 0) throw new Error('the data was not stored');
  return { owner: owner!, others, swarm, endsAt, url: origin };
}

console.log(machine());
const { owner, others, swarm, endsAt, url } = await prepare();
const port = Number(new URL(url).port);
const { server, origin } = await startServer({ data, port, execArgv, env: { ...env, PUBLIC_URL: url } });

async function inside(): Promise<Inside> {
  server.send('inside');
  return ((await once(server, 'message')) as [Inside])[0];
}

console.log(`\n| | ${threadNames.join(' | ')} |\n|---|${'---|'.repeat(threadNames.length)}`);
const slow: string[] = [];
async function row(what: string, act: () => Promise<unknown>, settleMs = 1000) {
  await act();
  await sleep(settleMs);
  const { turns, threads } = await inside();
  const cells = threadNames.map((name) => (name === 'main' ? turns.max : (threads[name]?.most ?? 0)).toFixed(1));
  for (const [name, { most, asked }] of Object.entries(threads))
    if (most > goalMs) slow.push(`${what}, ${name}: ${most.toFixed(1)} ${asked}`);
  console.log(`| ${what} | ${cells.join(' | ')} |`);
}

const read = async (path: string, headers: Record<string, string>) =>
  (await send('GET', `${origin}${path}`, headers)).arrayBuffer();
const expires = new Date(Date.now() + 3_600_000).toISOString();
const shared = await post(`${origin}/service/swarms/${swarm.id}/share-links`, owner.key, {
  name: 'Web page',
  expires_at: expires,
});
const code = new URL(((await shared.json()) as NewShareLink).url).hash.slice(1);
const windows: AbortController[] = [];

/** Opens the link at an address, and reads until all devices have arrived. The window stays open. */
async function openLink(address: string) {
  const window = new AbortController();
  windows.push(window);
  const answer = await fetch(`${origin}/guest/events`, {
    headers: { 'x-share-code': code, 'x-forwarded-for': address, 'sec-fetch-site': 'same-origin' },
    signal: window.signal,
  });
  if (!answer.ok) throw new Error(await answer.text());
  const reader = answer.body!.getReader();
  let bytes = 0;
  const least = amounts.members * 60;
  while (bytes < least) {
    const { done, value } = await reader.read();
    if (done) throw new Error('the stream of a guest has ended');
    bytes += value.length;
  }
  void (async () => {
    for (;;) if ((await reader.read()).done) return;
  })().catch(() => {});
}

const page = ['/account', '/devices?limit=100', '/map?zoom=3&bbox=-180,-80,180,84', '/inbox/count', '/swarm-list'];
async function openPages({ session, key }: TestUser) {
  await Promise.all(page.map((path) => read(`/api${path}`, session)));
  await read(`/service/swarms/${swarm.id}/resources`, key);
  await read(`/api/devices?audience=swarm:${swarm.id}&limit=1000&sort=name`, session);
}

async function untilEnded(id: string) {
  for (;;) {
    const ended = await send('GET', `${origin}/api/actions/history`, owner.session);
    if (((await ended.json()) as ActionHistory).actions.some((action) => action.id === id)) return;
    await sleep(200);
  }
}

try {
  // Loading and compiling the code is no turn of its jobs.
  await openPages(others[0]!);
  await inside();
  await row('values that are compacted, mails', async () => {}, 15_000);
  await row("a guest's first opening", () => openLink('198.51.100.1'));
  await row('fifty addresses', () => Promise.all(range(49).map((n) => openLink(`198.51.${101 + n}.1`))));
  await row('1,000 devices move', () =>
    each(range(moved), (n) =>
      send('PUT', `${origin}/service/resources/${idOf(amounts.members - 1 - n)}`, owner.key, {
        position: { longitude: 8 + Math.random(), latitude: 54 },
      }),
    ),
  );
  await row('nothing', async () => {}, Math.max(1000, endsAt - 3000 - Date.now()));
  await row('10,000 consents end', async () => {}, Math.max(0, endsAt - Date.now()) + 10_000);
  await row('five users, the first time', () => Promise.all([owner, ...others].map(openPages)));
  await row('five users', () => Promise.all([owner, ...others].map(openPages)));
  await row('the demo is added', () => post(`${origin}/api/demo`, others[0]!.session, {}));
  const [deletion, undo] = [randomUUID(), randomUUID()];
  await row('5,000 devices are deleted', async () => {
    const asked = { id: deletion, kind: 'delete', about: {}, wait: 0, total: deleted };
    await post(`${origin}/api/actions`, owner.session, asked);
    const atOnce = 500;
    for (const part of range(deleted / atOnce))
      await send('PUT', `${origin}/api/actions/${deletion}/parts/${part}`, owner.session, {
        items: range(atOnce).map((n) => ({ id: idOf(amounts.members + 100 + part * atOnce + n), name: 'Sensor' })),
      });
    await post(`${origin}/api/actions/${deletion}/start`, owner.session, {});
    await untilEnded(deletion);
  });
  await row('the deletion is undone', async () => {
    await post(`${origin}/api/actions/${deletion}/undo`, owner.session, { id: undo });
    await untilEnded(undo);
  });
  console.log(`\nms of processor time of the longest turn; goal: ${goalMs}\n${slow.join('\n')}`);
} finally {
  for (const window of windows) window.abort();
  await stop(server);
  rmSync(data, { recursive: true });
}

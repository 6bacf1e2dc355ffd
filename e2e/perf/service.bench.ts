/**
 * `npm run bench -- service`: the service against THE LIMIT, in one run, in alternating order, medians of the rounds.
 * Prints a table; asserts nothing. `STORE=postgres`: both on PostgreSQL, and with two processes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { machine, median, post, signUp, start, startSwarmdeck, stop } from './harness.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 3);
const connections = 50;
const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));

interface Target {
  name: string;
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** The least part of THE LIMIT that is good enough: on SQLite, and on PostgreSQL. */
  goals?: readonly [sqlite: number | '', postgres: number | ''];
}

interface Measured {
  perSecond: number;
  p99: number;
}

async function load({ url, method, headers, body }: Target, connectionCount = connections): Promise<Measured> {
  const result = await autocannon({
    url,
    method,
    connections: connectionCount,
    duration: seconds,
    headers: headers ?? {},
    ...(body && { body }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} failed, ${result.errors} errors`);
  return { perSecond: result.requests.total / result.duration, p99: result.latency.p99 };
}

const databaseUrl = process.env['DATABASE_URL'];
const limit = await start('e2e/perf/limit-server.ts', [databaseUrl ?? join(folder, 'limit.db')], {}, /^(\d+)$/);
await using swarmdeck = await startSwarmdeck();
await using second = databaseUrl ? await startSwarmdeck() : undefined;
const limitUrl = `http://127.0.0.1:${limit.found}`;
const { origin } = swarmdeck;

const reader = await signUp(origin, 'bench-reader');
const writer = await signUp(origin, 'bench-writer');

const station = (name: string) => ({
  name,
  machine_type: 'bug',
  description: 'Weather station',
  position: { longitude: 12.296, latitude: 52.924 },
});
let id = '';
for (let number = 0; number < 1000; number++) {
  const answer = await post(`${origin}/service/resources`, reader.key, station(`Station ${number}`));
  if (number === 500) id = ((await answer.json()) as { id: string }).id;
}
const body = JSON.stringify(station('Durable'));
const json = { 'content-type': 'application/json' };

const get = (path: string, headers: Record<string, string>) =>
  ({ url: origin + path, method: 'GET', headers }) as const;
const create = (path: string, headers: Record<string, string>) =>
  ({ url: origin + path, method: 'POST', headers, body }) as const;

const groups: { what: string; limit: Target; ours: Target[] }[] = [
  {
    what: 'GET one resource',
    limit: { name: 'limit', url: `${limitUrl}/one`, method: 'GET' },
    ours: [
      { name: 'direct', ...get(`/service/resources/${id}`, reader.key), goals: [0.65, 0.7] },
      { name: 'gateway', ...get(`/api/resources/${id}`, reader.session), goals: [0.57, ''] },
    ],
  },
  {
    what: 'GET a list of 1,000',
    limit: { name: 'limit', url: `${limitUrl}/list`, method: 'GET' },
    ours: [
      { name: 'direct, unchanged', ...get('/service/resources', reader.key), goals: [6, ''] },
      { name: 'gateway, unchanged', ...get('/api/resources', reader.session), goals: [6, ''] },
      { name: 'direct, changing', ...get('/service/resources', reader.key), goals: [1.8, ''] },
    ],
  },
  {
    what: 'durable POST',
    limit: { name: 'limit', url: `${limitUrl}/`, method: 'POST', headers: json, body },
    ours: [
      { name: 'direct', ...create('/service/resources', writer.key), goals: [2.8, 0.75] },
      { name: 'gateway', ...create('/api/resources', writer.session), goals: [2.8, ''] },
    ],
  },
];

/** One of the 1,000 is touched fifty times a second, so that no answer can be kept for longer. */
async function whileChanging<T>(act: () => Promise<T>): Promise<T> {
  let running = true;
  const touching = (async () => {
    while (running) {
      await fetch(`${origin}/service/resources/${id}`, { method: 'PUT', headers: reader.key, body: '{}' });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  try {
    return await act();
  } finally {
    running = false;
    await touching;
  }
}

console.log(`${machine()}, ${rounds} rounds of ${seconds} s, ${connections} connections\n`);
console.log('| what | way | per second | of THE LIMIT | p99 ms (limit) | at least |\n|---|---|---|---|---|---|');
for (const { what, limit: base, ours } of groups) {
  const measured = new Map<Target, Measured[]>([base, ...ours].map((target) => [target, []]));
  for (const target of measured.keys())
    await autocannon({ ...target, connections, duration: 1, headers: target.headers ?? {} });
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [...measured.keys()] : [...measured.keys()].reverse();
    for (const target of order) {
      const act = () => load(target);
      measured.get(target)!.push(await (target.name.endsWith('changing') ? whileChanging(act) : act()));
    }
  }
  const limits = measured.get(base)!;
  const rate = (values: Measured[]) => median(values.map(({ perSecond }) => perSecond));
  const p99 = (values: Measured[]) => median(values.map((value) => value.p99));
  console.log(`| ${what} | THE LIMIT | ${Math.round(rate(limits))} | 1.00 | ${p99(limits)} | |`);
  for (const target of ours) {
    const values = measured.get(target)!;
    const ratio = median(values.map(({ perSecond }, round) => perSecond / limits[round]!.perSecond));
    const goal = target.goals?.[databaseUrl ? 1 : 0] ?? '';
    console.log(
      `| | ${target.name} | ${Math.round(rate(values))} | ${ratio.toFixed(2)} | ${p99(values)} (${p99(limits)}) | ${goal} |`,
    );
  }
}
if (second) await printTwoProcesses(second.origin);

/** The same load on one process, and half of it on each of two. */
async function printTwoProcesses(other: string) {
  const targets: [string, Target][] = [
    ['GET one resource', { ...groups[0]!.ours[0]! }],
    ['durable POST', { ...groups[2]!.ours[0]! }],
  ];
  for (const [what, target] of targets) {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const alone = (await load(target)).perSecond;
      const there = { ...target, url: target.url.replace(origin, other) };
      const both = await Promise.all([load(target, connections / 2), load(there, connections / 2)]);
      ratios.push(both.reduce((sum, { perSecond }) => sum + perSecond, 0) / alone);
    }
    console.log(`| ${what} | two processes, of one | | ${median(ratios).toFixed(2)} | | |`);
  }
}

await stop(limit.child);
rmSync(folder, { recursive: true });

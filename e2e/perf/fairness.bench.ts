/**
 * `npm run bench -- fairness`: the point reads of an unrelated user, first alone, then while 20 sessions read lists, map
 * views and searches in an account of COUNT (100000) devices, each without a pause, or together PER_SECOND times a second.
 * Prints a table; asserts nothing.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine, percentile, post, send, signUp, sleep } from './harness.ts';
import { owner, startServer, storeFleet } from './stored-fleet.ts';

const count = Number(process.env['COUNT'] ?? 100_000);
const perSecond = Number(process.env['PER_SECOND'] ?? Infinity);
const sessions = 20;
const reads = 500;

const data = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
await storeFleet({ data, count });
const { server, origin } = await startServer({ data });
const other = await signUp(origin, 'other');
const made = await post(`${origin}/service/resources`, other.key, { name: 'Lamp', machine_type: 'pc' });
const { id } = (await made.json()) as { id: string };

/** Milliseconds of each read, one every 20 ms. */
async function pointReads(): Promise<number[]> {
  const took: number[] = [];
  for (let read = 0; read < reads; read++) {
    const from = performance.now();
    await (await send('GET', `${origin}/service/resources/${id}`, other.key)).text();
    took.push(performance.now() - from);
    await sleep(20);
  }
  return took;
}

async function signIn(): Promise<Record<string, string>> {
  const browser = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const answer = await send('POST', `${origin}/auth/sign-in/username`, browser, owner);
  return {
    ...browser,
    cookie: answer.headers
      .getSetCookie()
      .map((entry) => entry.split(';')[0])
      .join('; '),
  };
}

const tookOf: Record<string, number[]> = { list: [], map: [], search: [] };
let isOver = false;
async function useScreens(session: Record<string, string>, number: number) {
  for (let turn = 0; !isOver; turn++) {
    const west = ((number * 31 + turn * 17) % 300) - 170;
    const paths = {
      list: `/devices?limit=100&sort=${turn % 2 ? 'name' : '-changed'}`,
      map: `/map?zoom=5&bbox=${west},-40,${west + 40},60`,
      search: `/devices?limit=100&q=${number}${turn % 100}`,
    };
    for (const [what, path] of Object.entries(paths)) {
      if (isOver) return;
      if (perSecond < Infinity) await sleep((1000 * sessions * (0.5 + Math.random())) / perSecond);
      const from = performance.now();
      await (await fetch(`${origin}/api${path}`, { headers: session })).text();
      tookOf[what]!.push(performance.now() - from);
    }
  }
}

const owners = await Promise.all(Array.from({ length: sessions }, signIn));
const world = `${origin}/api/map?zoom=3&bbox=-180,-80,180,84`;
while ((await (await fetch(world, { headers: owners[0]! })).text()).includes('"building"')) await sleep(200);
await pointReads();
const alone = await pointReads();
const screens = owners.map(useScreens);
await sleep(2000);
const together = await pointReads();
isOver = true;
await Promise.all(screens);

const row = (what: string, took: number[]) =>
  console.log(`| ${what} | ${[0.5, 0.95, 0.99].map((part) => percentile(took, part).toFixed(1)).join(' | ')} |`);
console.log(`${machine()}, ${count.toLocaleString('en')} devices, ${sessions} sessions\n`);
console.log('| ms | p50 | p95 | p99 |\n|---|---|---|---|');
row('another user reads a device, nobody else', alone);
row('the same with the 20 sessions', together);
for (const [what, took] of Object.entries(tookOf)) row(`${what} of a session (${took.length} requests)`, took);
console.log(
  `\np95 with the sessions: ${(percentile(together, 0.95) / percentile(alone, 0.95)).toFixed(1)} times (goal: 2)`,
);
server.kill('SIGTERM');
await once(server, 'exit');
rmSync(data, { recursive: true });

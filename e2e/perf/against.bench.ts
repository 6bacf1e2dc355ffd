/**
 * `npm run bench -- against TAG`: this clone and the version of a tag or commit, both started anew and filled in each of ROUNDS (5), in
 * turn: requests, messages and first views of pages, for SECONDS (3) each. Prints one table; asserts nothing. Run it before a change
 * of one of these paths is finished. What only this version has is left out.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import autocannon from 'autocannon';
import { chromium, type Browser } from 'playwright';
import { browserArguments, provideBrowser } from '../../.tools/browser.ts';
import { each, machine, median, post, processorSeconds, signUp, startSwarmdeck } from './harness.ts';
import { many, measure, swarmdeckByBothWays } from './senders.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 3);
const slowRate = 200;
const root = join(import.meta.dirname, '../..');
const names = ['before', 'now'] as const;

/** `time`: ms of one request by the clock, or until a page is complete. `processor`: µs of the server, or of the page's main thread. */
interface Figures {
  time: number;
  processor: number;
}

/** Checks the version out into this folder, and makes it ready as anybody would. */
function prepare(tag: string, folder: string): void {
  for (const [command, ...args] of [
    ['git', 'clone', '--quiet', '--shared', '--no-checkout', root, folder],
    ['git', '-C', folder, 'checkout', '--quiet', '--detach', tag],
    ['node', join(folder, '.tools/prepare.mjs')],
  ] as [string, ...string[]][]) {
    const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
  }
}

/** Starts the version in this clone, and measures all of it. `undefined`: it does not have this. */
async function measureAll(clone: string, browser: Browser): Promise<Record<string, Figures | undefined>> {
  await using server = await startSwarmdeck({ clone });
  const { origin, pid } = server;
  const ann = await signUp(origin, 'ann');
  const make = async (path: string, body: object) =>
    (await (await post(`${origin}/service${path}`, ann.key, body)).json()) as { id: string };
  const station = (index: number) => ({
    name: `Station ${index}`,
    machine_type: 'bug',
    position: { longitude: (index % 360) - 180, latitude: (index % 170) - 85 },
  });
  const devices = await each(Array.from({ length: 1000 }), (_, index) => make('/resources', station(index)));
  const { id } = devices[500]!;
  const resources = devices.slice(0, 120).map((device) => ({ resource_id: device.id, resource_type: 'producer' }));
  const swarm = await make('/swarms', { name: 'Rivers', description: '', resources });
  const code = await createShareLink(`${origin}/service/resources/${id}/share-links`, ann.key);
  const [http, mqtt] = await swarmdeckByBothWays(server);

  const load = async (method: 'GET' | 'POST' | 'PUT', path: string, headers: Record<string, string>, body?: object) => {
    const before = processorSeconds(pid);
    const options = { url: origin + path, method, headers, connections: 50, duration: seconds };
    const result = await autocannon({ ...options, ...(body && { body: JSON.stringify(body) }) });
    if (result.non2xx + result.errors > 0) throw new Error(`${path}: ${result.non2xx + result.errors} failed`);
    return { time: result.latency.p50, processor: ((processorSeconds(pid) - before) / result.requests.total) * 1e6 };
  };
  const messages = async (options: { senders: number; rate?: number }, broker = http) => {
    const { times, cost } = await measure({ broker, seconds, ...options });
    return { time: median(times), processor: cost };
  };
  const one = `/service/resources/${id}`;
  const ways: Record<string, () => Promise<Figures | undefined>> = {
    GET: () => load('GET', one, ann.key),
    'PUT of a position': () => load('PUT', one, ann.key, { position: { longitude: 8, latitude: 50 } }),
    'GET through the gateway': () => load('GET', `/api/resources/${id}`, ann.session),
    [`message by HTTP, ${many} senders`]: () => messages({ senders: many }),
    'one sender': () => messages({ senders: 1 }),
    [`${slowRate} a second`]: () => messages({ senders: many, rate: slowRate }),
    [`message by MQTT, ${many} senders`]: () => messages({ senders: many }, mqtt),
    'MQTT, one sender': () => messages({ senders: 1 }, mqtt),
    [`MQTT, ${slowRate} a second`]: () => messages({ senders: many, rate: slowRate }, mqtt),
    'list of all devices': () => load('GET', '/service/resources', ann.key),
    map: () => load('GET', '/api/map?zoom=3', ann.session),
    'a guest opens a link': async () => (code ? guests(`${origin}/guest/events`, code, pid) : undefined),
  };
  for (const path of ['/', '/devices/:id', '/import', '/swarms', '/discover', '/swarms/:swarm', '/invitations'])
    ways[`first view of ${path}`] = () =>
      firstView(browser, origin, path.replace(':id', id).replace(':swarm', swarm.id));
  for (const path of ['/invite?swarm=:swarm', '/account', '/activity', '/map', '/swarms/:swarm/map'])
    ways[`first view of ${path}`] = () => firstView(browser, origin, path.replace(':swarm', swarm.id));
  // last: the quicker version would have more devices in what follows
  ways['POST'] = () => load('POST', '/service/resources', ann.key, station(0));

  const figures: Record<string, Figures | undefined> = {};
  for (const [what, act] of Object.entries(ways)) figures[what] = await act();
  return figures;
}

/** Its code, or nothing in a version without links. */
async function createShareLink(url: string, headers: Record<string, string>): Promise<string | undefined> {
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: 'Bench', expires_at }) });
  if (answer.status === 404) return undefined;
  return new URL(((await answer.json()) as { url: string }).url).hash.slice(1);
}

/** Opens the link again and again, until its first event. */
async function guests(url: string, code: string, pid: number): Promise<Figures> {
  const times: number[] = [];
  const before = processorSeconds(pid);
  for (const until = performance.now() + seconds * 1000; performance.now() < until;) {
    const from = performance.now();
    const answer = await fetch(url, { headers: { 'x-share-code': code } });
    const reader = answer.body!.getReader();
    await reader.read();
    times.push(performance.now() - from);
    await reader.cancel();
  }
  return { time: median(times), processor: ((processorSeconds(pid) - before) / times.length) * 1e6 };
}

/** In a browser without anything stored, until the app has marked the page as complete. */
async function firstView(browser: Browser, origin: string, path: string): Promise<Figures> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const data = { username: 'ann', password: 'correct horse battery' };
  await context.request.post(`${origin}/auth/sign-in/username`, { data, headers: { origin } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const from = performance.now();
  await page.goto(origin + path, { waitUntil: 'commit' });
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  const time = performance.now() - from;
  const { metrics } = await devtools.send('Performance.getMetrics');
  const processor = metrics.find(({ name }) => name === 'TaskDuration')!.value * 1e6;
  await context.close();
  return { time, processor };
}

const tag = process.argv[3];
if (tag === undefined) throw new Error('npm run bench -- against TAG');
const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-against-'));
try {
  prepare(tag, folder);
  const clones = { before: relative(root, folder), now: '' };
  await using browser = await chromium.launch({
    executablePath: provideBrowser({ shell: true }),
    args: browserArguments,
  });
  const measured: Record<(typeof names)[number], Record<string, Figures | undefined>[]> = { before: [], now: [] };
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed())
      measured[name].push(await measureAll(clones[name], browser));

  console.log(`${machine()}, ${rounds} rounds: the median of them, and the least and the most`);
  console.log('Processor: of the server for one request; of a page, of its main thread.\n');
  console.log(`| what | ms, ${tag} | ms, now | ratio | processor µs, ${tag} | processor µs, now | ratio |`);
  console.log('|---|---|---|---|---|---|---|');
  for (const what of Object.keys(measured.now[0]!)) {
    const cells = (['time', 'processor'] as const).flatMap((part) => {
      const [before, now] = names.map((name) => measured[name].flatMap((round) => round[what]?.[part] ?? []));
      const digits = part === 'time' ? 1 : 0;
      const cell = (values: number[]) =>
        values.length === 0
          ? 'none'
          : `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;
      const ratios = before!.flatMap((value, round) => (now![round] === undefined ? [] : now![round] / value));
      return [cell(before!), cell(now!), ratios.length === 0 ? '' : median(ratios).toFixed(2)];
    });
    console.log(`| ${what} | ${cells.join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

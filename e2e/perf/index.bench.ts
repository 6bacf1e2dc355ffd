/**
 * `npm run bench -- index`: what map and list cost in an account of COUNT (100000) devices: the first
 * picture on a server that has just started, pictures and pages after that, 1,000 moves until they are seen, memory,
 * the share of a core that the index thread takes for a map that is watched while 1,000 devices move each second, and the
 * longest turn of the event loop. Processor time, of the whole server for each request and of its main thread for a turn,
 * is what other programs on the machine do not change. `AGAINST=folder` measures another checkout, with its packages
 * installed, on the same data in the same run. Prints tables; asserts nothing.
 */
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  each,
  machine,
  median,
  ownMemory,
  percentile,
  processorSeconds,
  send,
  sleep,
  threadSeconds,
} from './harness.ts';
import type { Inside } from './loop-delay.ts';
import { owner, startServer, storeFleet } from './stored-fleet.ts';

const count = Number(process.env['COUNT'] ?? 100_000);
const rounds = 15;
const moves = 1000;
/** Of one row; the slow have fewer rounds. */
const mostMs = 60_000;
const here = join(import.meta.dirname, '../..');
const against = process.env['AGAINST'];
const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));

interface Row {
  what: string;
  median: number;
  worst: number;
  processor: number;
  turn: number;
  note: string;
}

async function measure(root: string, data: string, key: string): Promise<Row[]> {
  const { server, origin } = await startServer({ root, data });
  const browser = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const signedIn = await send('POST', `${origin}/auth/sign-in/username`, browser, owner);
  const cookie = signedIn.headers.getSetCookie().map((entry) => entry.split(';')[0]);
  const session = { ...browser, cookie: cookie.join('; '), 'accept-encoding': 'gzip' };
  const rows: Row[] = [];

  /** Since it was asked before. */
  async function longestTurn(): Promise<number> {
    server.send('how are you');
    return ((await once(server, 'message')) as [Inside])[0].turns.max;
  }
  async function request(path: string): Promise<{ took: number; text: string }> {
    const from = performance.now();
    const text = await (await send('GET', `${origin}/api${path}`, session)).text();
    return { took: performance.now() - from, text };
  }
  async function row(what: string, act: () => Promise<number>, times = rounds, note = () => '') {
    await longestTurn();
    const used = processorSeconds(server.pid!);
    const took: number[] = [];
    const began = performance.now();
    while (took.length < times && performance.now() - began < mostMs) took.push(await act());
    const worst = percentile(took, 1);
    const processor = ((processorSeconds(server.pid!) - used) * 1000) / took.length;
    rows.push({ what, median: median(took), worst, processor, turn: await longestTurn(), note: note() });
  }
  const world = '/map?zoom=3&bbox=-180,-80,180,84';

  const before = ownMemory(server.pid!);
  const weigh = (what: string) => {
    const now = ownMemory(server.pid!);
    const none = { processor: Number.NaN, turn: Number.NaN };
    rows.push({ what, median: now - before, worst: now, ...none, note: 'more than at the start, and in all' });
  };
  const atStart = threadSeconds(server.pid!);
  let progress = 0;
  const asked = performance.now();
  await row(
    'first rows of the list after the start',
    async () => (await request('/devices?limit=100&counts=later')).took,
    1,
  );
  await row(
    'first picture after the start',
    () => untilBuilt(),
    1,
    () => `${progress} answers said how far it was`,
  );
  weigh('memory of its own after that, MB');
  async function untilBuilt() {
    while ('building' in (JSON.parse((await request(world)).text) as object)) progress += 1;
    return performance.now() - asked;
  }
  const paths = {
    'map, the world at zoom 3': world,
    'map, Europe at zoom 4': '/map?zoom=4&bbox=-25,34,45,70',
    'map, the Alps at zoom 7': '/map?zoom=7&bbox=4,43,17,49',
    'map, a town at zoom 11': '/map?zoom=11&bbox=8.2,47.2,9,47.6',
    'map, one machine type': `${world}&machine_type=bug`,
    'list by name': '/devices?limit=100',
    'list, last change first': '/devices?limit=100&sort=-changed',
    'list, one machine type': '/devices?limit=100&machine_type=bug',
    'list, in no swarm': '/devices?limit=100&swarm=none',
    'list, only in view: the Alps': '/devices?limit=100&bbox=4,43,17,49',
    'list, only in view: Europe': '/devices?limit=100&bbox=-25,34,45,70',
    'list, a search for one in a thousand': '/devices?limit=100&q=lighthouse',
    'list, a search for nearly all': '/devices?limit=100&q=sensor',
    'list, a search that finds nothing': '/devices?limit=100&q=nothing%20at%20all',
    'map, a search for one in a thousand': `${world}&q=lighthouse`,
  };
  for (const [what, path] of Object.entries(paths)) {
    let first = 0;
    try {
      while ((first = (await request(path)).took) && (await request(path)).text.includes('"building"'));
    } catch (error) {
      rows.push({
        what,
        median: Number.NaN,
        worst: Number.NaN,
        processor: Number.NaN,
        turn: Number.NaN,
        note: (error as Error).message.slice(-60),
      });
      continue;
    }
    await row(
      what,
      async () => (await request(path)).took,
      rounds,
      () => `first ${first.toFixed(0)} ms`,
    );
  }
  weigh('memory of its own after all of these, MB');
  /** The one that has worked most for maps and lists. */
  const indexThread = [...threadSeconds(server.pid!)]
    .filter(([thread]) => thread !== String(server.pid))
    .map(([thread, seconds]) => ({ thread, seconds: seconds - (atStart.get(thread) ?? 0) }))
    .reduce((busiest, each) => (each.seconds > busiest.seconds ? each : busiest)).thread;

  const { items } = JSON.parse((await request('/devices?limit=1000')).text) as { items: { id: string }[] };
  const keyed = { 'x-serviceapikey': key, 'content-type': 'application/json' };
  let round = 0;
  await row(
    `${moves} moves, and then the picture`,
    async () => {
      round += 1;
      const numbers = Array.from({ length: moves }, (_, index) => index);
      await each(numbers, (number) => move(number), 50);
      return (await request(world)).took;
    },
    5,
    () => 'of the picture alone',
  );
  function move(number: number) {
    const position = { longitude: ((number * 37 + round) % 340) - 170, latitude: ((number * 17 + round) % 140) - 70 };
    return send('PUT', `${origin}/service/resources/${items[number % items.length]!.id}`, keyed, { position });
  }

  await watchedMoves();

  /** A move each millisecond, and a view of the whole world and a near one in turn, five in a second. */
  async function watchedMoves() {
    const seconds = 10;
    const used = threadSeconds(server.pid!);
    const began = performance.now();
    const took: number[] = [];
    let moved = 0;
    const moving = each(
      Array.from({ length: seconds * moves }, (_, index) => index),
      async (number) => {
        await sleep(Math.max(0, began + (number * 1000) / moves - performance.now()));
        if (number % moves === 0) round += 1;
        await move(number);
        moved += 1;
      },
      50,
    );
    for (let view = 0; view < 5 * seconds; view += 1) {
      await sleep(Math.max(0, began + view * 200 - performance.now()));
      const from = performance.now();
      await request(view % 2 === 0 ? world : paths['map, the Alps at zoom 7']);
      took.push(performance.now() - from);
    }
    await moving;
    const lasted = (performance.now() - began) / 1000;
    const busy = threadSeconds(server.pid!);
    const shareOf = (thread: string) => (((busy.get(thread) ?? 0) - (used.get(thread) ?? 0)) / lasted) * 100;
    rows.push({
      what: `a view while ${moves} devices move each second, five views a second`,
      median: median(took),
      worst: percentile(took, 1),
      processor: Number.NaN,
      turn: Number.NaN,
      note:
        `${(moved / lasted).toFixed(0)} moves a second; index thread ${shareOf(indexThread).toFixed(0)} %, ` +
        `main thread ${shareOf(String(server.pid)).toFixed(0)} % of a core`,
    });
  }

  const each200: number[] = [];
  await using watching = await watch(`${origin}/api/events?watch=own`, session);
  await row(
    'a move, from its PUT to the picture that a watcher asks for',
    async () => {
      round += 1;
      // a changing map gets an event five times a second
      await sleep(250);
      const began = performance.now();
      const changed = watching.change();
      await move(round);
      await changed;
      await request(world);
      each200.push(performance.now() - began);
      return each200.at(-1)!;
    },
    200,
    () => `p95 ${percentile(each200, 0.95).toFixed(0)} ms; processor of all of it`,
  );

  server.kill('SIGTERM');
  await once(server, 'exit');
  return rows;
}

/** A browser's stream. */
async function watch(url: string, session: Record<string, string>) {
  const closing = new AbortController();
  const answer = await fetch(url, { headers: session, signal: closing.signal });
  let tell = () => {};
  const text = new TextDecoder();
  const reading = (async () => {
    for await (const chunk of answer.body!) if (text.decode(chunk).includes('map.changed')) tell();
  })().catch(() => {});
  return {
    /** The next event that says that the map has changed. */
    change: () => new Promise<void>((resolve) => (tell = resolve)),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await reading;
    },
  };
}

const oldest = against ?? here;
const data = join(folder, 'data');
mkdirSync(data);
const from = performance.now();
const { key } = await storeFleet({ root: oldest, data, count });
console.log(
  `${machine()}\n${count.toLocaleString('en')} devices, imported in ${((performance.now() - from) / 1000).toFixed(0)} s`,
);

for (const [name, root] of [
  ['before', against],
  ['now', here],
] as const) {
  if (!root) continue;
  const copy = join(folder, name);
  cpSync(data, copy, { recursive: true });
  console.log(
    `\n${against ? name : ''}\n| what | median ms | worst | processor ms | longest turn | |\n|---|---|---|---|---|---|`,
  );
  for (const { what, median: middle, worst, processor, turn, note } of await measure(root, copy, key)) {
    console.log(
      `| ${what} | ${middle.toFixed(1)} | ${worst.toFixed(1)} | ${processor.toFixed(1)} | ${turn.toFixed(1)} | ${note} |`,
    );
  }
}
rmSync(folder, { recursive: true });

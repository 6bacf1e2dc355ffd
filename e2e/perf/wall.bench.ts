/**
 * `npm run bench -- wall`: a wall that stays open while 1,000 devices a second move by PUT with a key, 1440 x 900, and a
 * server that is restarted after a third of the time. Every half minute: memory of page and server, moves, frames.
 * Writes table, numbers and curve into OUT (default `test-results/wall`) while it runs, so that an interrupted run leaves
 * its results. Asserts nothing. Linux only (`/proc`).
 * MINUTES (60). COUNT: devices (100,000). MOVES: a second (1,000). WALL: its path (`/map`), in which `:device` is the id of
 * one that moves. TRACKS=yes: the tracks of all are kept. MAP_FILE, as for the server; `everywhere`: an archive whose only tile
 * is everywhere, which WALL='/map?sel=:device&follow=1&map=14/54/10' shows.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { streetArchive } from '../street-archive.ts';
import { machine, memory, ownMemory, percentile, sleep } from './harness.ts';
import type { Inside } from './loop-delay.ts';
import { owner, startServer, storeFleet } from './stored-fleet.ts';
import { openWallPage } from './wall/browser.ts';
import { startMover, type Parked } from './wall/mover.ts';
import { curveOf, slopesOf, tableOf, type Sample } from './wall/record.ts';
import { takeWatched, watchWall } from './wall/watch.ts';

const minutes = Number(process.env['MINUTES'] ?? 60);
const count = Number(process.env['COUNT'] ?? 100_000);
const perSecond = Number(process.env['MOVES'] ?? 1000);
const path = process.env['WALL'] ?? '/map';
const out = process.env['OUT'] ?? join(import.meta.dirname, '../../test-results/wall');
const sampleMs = Math.min(30_000, (minutes * 60_000) / 6);
/** Devices that move: each of them every ten seconds. */
const movers = 10_000;
/** What shows that devices move, in `wallWatch`: a device that the map follows stays where it is on the screen. */
const moving = path.includes('follow=1') ? 'answers' : 'pictures';
const execArgv = ['--max-semi-space-size=16'];

const data = mkdtempSync(join(tmpdir(), 'swarmdeck-wall-data-'));
mkdirSync(out, { recursive: true });
if (process.env['MAP_FILE'] === 'everywhere') {
  process.env['MAP_FILE'] = join(data, 'everywhere.pmtiles');
  writeFileSync(process.env['MAP_FILE'], streetArchive({ isEverywhere: true }));
}
const say = (line: string) => process.stderr.write(`${line}\n`);

say(`storing ${count.toLocaleString('en')} devices`);
const { key } = await storeFleet({ data, count, keepsTracks: process.env['TRACKS'] === 'yes' });
const first = await startServer({ data, execArgv });
const { origin } = first;
let { server } = first;
process.once('exit', () => server.kill('SIGKILL'));
process.once('SIGINT', () => process.exit(1));
process.once('SIGTERM', () => process.exit(1));
const devices = await devicesThatMove();
const mover = startMover({ origin, key, devices, perSecond });

await using page = await openWallPage({ before: watchWall });
await page.open(`${origin}/sign-in`);
await page.evaluate(`fetch('/auth/sign-in/username', { method: 'POST', headers: { 'content-type': 'application/json' },
  body: ${JSON.stringify(JSON.stringify(owner))} }).then((answer) => { if (!answer.ok) throw new Error(answer.status); })`);
await page.open(origin + path.replace(':device', devices[0]!.id));
await page.until(`wallWatch.answers > 0 && wallWatch.${moving} > 1`, 300_000);

const samples: Sample[] = [];
const began = performance.now();
const minute = () => (performance.now() - began) / 60_000;
let restart: { at: number; away: number; live: number; picture: number } | undefined;
await page.evaluate(takeWatched);
mover.taken();

let counted = began;
const due = () => (Math.floor((performance.now() - began) / sampleMs) + 1) * sampleMs;
for (let next = due(); next <= minutes * 60_000 + 1; next = due()) {
  await sleep(began + next - performance.now());
  await sample();
  if (restart || minute() < minutes / 3) continue;
  restart = { at: minute(), ...(await restartServer()) };
  say(`restarted: ${textOf(restart)}`);
  await page.evaluate(takeWatched);
  mover.taken();
  counted = performance.now();
}

mover.stop();
await page.screenshot(join(out, 'wall.png'));
console.log(report());
server.kill('SIGTERM');
await once(server, 'exit');
rmSync(data, { recursive: true });

async function sample() {
  const watched = await page.evaluate<Pick<Sample, 'frames' | 'tasks'>>(takeWatched);
  const { moved, refused } = mover.taken();
  const seconds = (performance.now() - counted) / 1000;
  counted = performance.now();
  server.send('how are you');
  const [{ heap: serverHeap, turns }] = (await once(server, 'message')) as [Inside];
  samples.push({
    minute: minute(),
    ...watched,
    ...(await page.memory()),
    server: memory(server.pid!),
    serverOwn: ownMemory(server.pid!),
    serverHeap,
    moves: moved / seconds,
    refused: Object.values(refused).reduce((sum, times) => sum + times, 0),
  });
  // reading the memory takes longer than a frame
  await page.evaluate(takeWatched);
  const { heap, renderer, server: ofServer, moves, frames } = samples.at(-1)!;
  const numbers = [`page ${heap.toFixed(1)} and ${renderer.toFixed(0)} MB`, `server ${ofServer.toFixed(0)} MB`];
  const more = [`${moves.toFixed(0)} moves/s`, `${frames.over50} of ${frames.count} frames over 50 ms`];
  say(`${minute().toFixed(1)} min: ${[...numbers, ...more, `turn ${turns.max.toFixed(0)} ms`].join(', ')}`);
  writeFileSync(join(out, 'wall.json'), JSON.stringify({ minutes, count, perSecond, path, restart, samples }, null, 1));
  writeFileSync(join(out, 'wall.md'), report());
  writeFileSync(join(out, 'wall.svg'), curveOf(samples, { restartedAt: restart?.at }));
}

/** Returns the duration of the outage, and the times from then to the first response and to the next picture, in ms. */
async function restartServer() {
  const ending = performance.now();
  server.kill('SIGTERM');
  await once(server, 'exit');
  const answersBefore = await page.evaluate<number>('wallWatch.answers');
  ({ server } = await startServer({ data, execArgv, port: Number(new URL(origin).port) }));
  const there = performance.now();
  await page.until(`wallWatch.answers > ${answersBefore}`, 120_000);
  const live = performance.now();
  const before = await page.evaluate<number>(`wallWatch.${moving}`);
  await page.until(`wallWatch.${moving} > ${before}`, 120_000);
  return { away: there - ending, live: live - there, picture: performance.now() - there };
}

function textOf({ at, away, live, picture }: NonNullable<typeof restart>): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return (
    `after ${at.toFixed(1)} minutes the server was down for ${seconds(away)}; ${seconds(live)} after it was up again ` +
    `the wall had its first response, and after ${seconds(picture)} it showed moves`
  );
}

function report(): string {
  const moves = samples.reduce((sum, sample) => sum + sample.moves, 0) / samples.length;
  const longest = samples.reduce((most, { frames }) => Math.max(most, frames.longest), 0);
  const over = percentile(
    samples.map(({ frames }) => frames.over50 / frames.count),
    0.5,
  );
  return [
    `${machine()}, load ${loadavg()[1]!.toFixed(1)}; ${count.toLocaleString('en')} devices, ${path}, 1440 x 900`,
    '',
    tableOf(samples),
    '',
    slopesOf(samples),
    `${moves.toFixed(0)} moves a second; of all frames ${(over * 100).toFixed(2)} % over 50 ms (median), ` +
      `the longest ${longest.toFixed(0)} ms.`,
    ...(restart ? [`Restart: ${textOf(restart)}.`] : []),
    '',
  ].join('\n');
}

async function devicesThatMove(): Promise<Parked[]> {
  const answer = await fetch(`${origin}/service/resources`, { headers: { 'x-serviceapikey': key } });
  const all = (await answer.json()) as { id: string; position?: { longitude: number; latitude: number } }[];
  const step = Math.max(1, Math.floor(all.length / movers));
  return all
    .filter((_, index) => index % step === 0)
    .flatMap(({ id, position }) => (position ? [{ id, ...position }] : []));
}

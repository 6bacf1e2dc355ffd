/**
 * `npm run bench -- map`: the map with many devices, 1,000 of which move at once. Prints tables; asserts nothing. Linux only
 * (`/proc`). COUNTS: numbers of devices, separated by commas (10000,100000,1000000). ROUNDS (3).
 */
import { loadavg } from 'node:os';
import { machine, median } from './harness.ts';
import { startFleet } from './map/fleet.ts';
import { homePage } from './map/home.ts';
import { measure, memoryOf, type Measured } from './map/measure.ts';
import { movesInTwoBrowsers } from './map/two-browsers.ts';

const counts = (process.env['COUNTS'] ?? '10000,100000,1000000').split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 3);

const whole = (value: number) => value.toFixed(0);
/** A browser reports no tasks shorter than 50 ms. */
const task = (ms: number) => (ms === 0 ? 'under 50' : whole(ms));

const columns: [string, keyof Measured, (value: number) => string][] = [
  ['first paint, ms from navigation', 'shown', whole],
  ['with data in hand', 'fromData', whole],
  ['longest task, ms', 'longest', task],
  ['1,000 moves until seen, ms', 'moved', whole],
  ['with the moves in hand', 'movedFromData', whole],
  ['until drawn', 'movedDrawn', whole],
  ['p95 frame, 5 x 1,000 moves/s, ms', 'frame', (value) => value.toFixed(1)],
  ['longest task then, ms', 'longestMoving', task],
  ['memory over an empty map, MB', 'memory', (value) => whole(value - empty)],
  ['JS heap, MB', 'heap', whole],
  ['bytes of devices', 'bytes', (value) => value.toLocaleString('en')],
];

console.log(`${machine()}, load ${loadavg()[0]!.toFixed(1)}, ${rounds} rounds, medians\n`);
const empty = await memoryOfEmptyMap();

for (const count of counts) {
  const filling = performance.now();
  await using fleet = await startFleet(count);
  console.log(
    `${count.toLocaleString('en')} devices (stored in ${((performance.now() - filling) / 1000).toFixed(0)} s)\n`,
  );

  // the first view builds the index: its cost is printed below
  const cold = await homePage(fleet);
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await measure(fleet));
  console.log(`| ${columns.map(([head]) => head).join(' | ')} |\n|${'---|'.repeat(columns.length)}`);
  const cells = columns.map(([, what, show]) => show(median(measured.map((each) => each[what]))));
  console.log(`| ${cells.join(' | ')} |`);
  const warm = await homePage(fleet);
  await fleet.restart();
  const restarted = await homePage(fleet);
  console.log(`\n| the home page, ms from navigation | ${Object.keys(warm).join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(Object.keys(warm).length)}`);
  for (const [when, page] of Object.entries({
    'first view after filling': cold,
    warm,
    'after a restart': restarted,
  })) {
    const cells = Object.values(page).map((value) => value.toFixed(0));
    console.log(`| ${when} | ${cells.join(' | ')} |`);
  }
  console.log(`\n${await movesInTwoBrowsers(fleet)}\n`);
}

async function memoryOfEmptyMap(): Promise<number> {
  await using fleet = await startFleet(1);
  return await memoryOf(fleet);
}

/**
 * `npm run bench:map`: this map beside Leaflet.markercluster, supercluster in a worker and MapLibre, all with the same
 * devices and the same moves, in one run, taking turns. Prints tables; asserts nothing. Linux only (`/proc`).
 * COUNTS: how many devices, with commas between (10000,100000,1000000). ROUNDS: of each (3; markercluster at a million
 * gets one). PEERS=off: this map alone.
 */
import { loadavg } from 'node:os';
import { machine, median } from './bed.ts';
import { peer, swarmdeck } from './map/contestants.ts';
import { startFleet } from './map/fleet.ts';
import { homePage } from './map/home.ts';
import { measure, memoryOf } from './map/measure.ts';
import type { Measured } from './map/measure.ts';
import { startPeersSite } from './map/peers-site.ts';
import { headsOfTable, rowOfTable } from './map/table.ts';
import { movesInTwoBrowsers } from './map/two-browsers.ts';

const counts = (process.env['COUNTS'] ?? '10000,100000,1000000').split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const peers = process.env['PEERS'] === 'off' ? [] : ['markercluster', 'supercluster', 'maplibre'];
const slow = (name: string, count: number) => name === 'markercluster' && count >= 1_000_000;

await using site = await startPeersSite();
console.log(
  `${machine()}, load ${loadavg()[0]!.toFixed(1)}, ${rounds} rounds, medians; MapLibre without a graphics card\n`,
);

site.serve(Buffer.alloc(0));
const [emptyPeer, emptyHome] = [await memoryOf(peer(site, 'empty')), await memoryOfEmptyHome()];

for (const count of counts) {
  const filling = performance.now();
  await using fleet = await startFleet(count);
  console.log(
    `${count.toLocaleString('en')} devices (stored in ${((performance.now() - filling) / 1000).toFixed(0)} s)\n`,
  );
  site.serve(fleet.points);
  const contestants = [swarmdeck(fleet), ...peers.map((name) => peer(site, name))];
  const all = new Map<string, Measured[]>(contestants.map(({ name }) => [name, []]));

  // the first view builds the index: what that costs is told below
  const cold = await homePage(fleet);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed();
    for (const contestant of order) {
      const measured = all.get(contestant.name)!;
      if (slow(contestant.name, count) && measured.length > 0) continue;
      process.stderr.write(`round ${round + 1}: ${contestant.name}\n`);
      measured.push(await measure(contestant));
    }
  }
  console.log(headsOfTable());
  for (const [name, measured] of all) {
    const of = (what: keyof Measured) => median(measured.map((each) => each[what]));
    const empty = name === 'Swarmdeck' ? emptyHome : emptyPeer;
    console.log(rowOfTable({ name, of, memory: of('memory') - empty }));
  }
  // nobody has looked while the others were measured
  await homePage(fleet);
  const warm = await homePage(fleet);
  await fleet.again();
  const restarted = await homePage(fleet);
  console.log(`\n| the home page, ms from navigation | ${Object.keys(warm).join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(Object.keys(warm).length)}`);
  for (const [when, page] of Object.entries({
    'first view after filling': cold,
    warm,
    'server started anew': restarted,
  })) {
    const cells = Object.values(page).map((value) => value.toFixed(0));
    console.log(`| ${when} | ${cells.join(' | ')} |`);
  }
  console.log(`\n${await movesInTwoBrowsers(fleet)}\n`);
}

async function memoryOfEmptyHome(): Promise<number> {
  await using fleet = await startFleet(1);
  return await memoryOf(swarmdeck(fleet));
}

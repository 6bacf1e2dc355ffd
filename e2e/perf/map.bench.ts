/**
 * `npm run bench -- map`: this map, Leaflet.markercluster, supercluster in a worker and MapLibre, all with the same
 * devices and the same moves, in one run, in alternating order. Prints tables; asserts nothing. Linux only (`/proc`).
 * COUNTS: numbers of devices, separated by commas (10000,100000,1000000). ROUNDS: of each map (3).
 * PEERS=off: only this map.
 */
import { loadavg } from 'node:os';
import { machine, median } from './harness.ts';
import { peer, swarmdeck } from './map/contestants.ts';
import { startFleet } from './map/fleet.ts';
import { homePage } from './map/home.ts';
import { measure, memoryOf, type Measured } from './map/measure.ts';
import { startPeersSite } from './map/peers-site.ts';
import { ratioTable, tableHeader, tableRow, type Medians } from './map/table.ts';
import { movesInTwoBrowsers } from './map/two-browsers.ts';

const counts = (process.env['COUNTS'] ?? '10000,100000,1000000').split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const peers = process.env['PEERS'] === 'off' ? [] : ['markercluster', 'supercluster', 'maplibre'];

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

  // the first view builds the index: its cost is printed below
  const cold = await homePage(fleet);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed();
    for (const contestant of order) {
      process.stderr.write(`round ${round + 1}: ${contestant.name}\n`);
      all.get(contestant.name)!.push(await measure(contestant));
    }
  }
  const results = [...all].map(([name, measured]) => {
    const of: Medians = (what) => median(measured.map((each) => each[what]));
    return { name, of };
  });
  console.log(tableHeader());
  for (const { name, of } of results) {
    const empty = name === 'Swarmdeck' ? emptyHome : emptyPeer;
    console.log(tableRow({ name, of, memory: of('memory') - empty }));
  }
  const [ours, ...others] = results;
  if (others.length > 0) console.log(`\n${ratioTable({ ours: ours!.of, others })}`);
  // the index was dropped while the other maps were measured
  await homePage(fleet);
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

async function memoryOfEmptyHome(): Promise<number> {
  await using fleet = await startFleet(1);
  return await memoryOf(swarmdeck(fleet));
}

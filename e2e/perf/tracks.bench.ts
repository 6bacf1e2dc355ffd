/**
 * `npm run bench -- tracks`: PUTs of positions of devices whose tracks are kept, and of others, in alternating order,
 * medians of the pairs. Prints a table; asserts nothing. `STORE=postgres`: on PostgreSQL. ROUNDS (8), SECONDS (3).
 */
import autocannon from 'autocannon';
import { each, machine, median, post, processorSeconds, signUp, startSwarmdeck } from './harness.ts';

const rounds = Number(process.env['ROUNDS'] ?? 8);
const seconds = Number(process.env['SECONDS'] ?? 3);
const connections = 50;
/** Devices with a track, and as many without. */
const count = 10_000;

await using swarmdeck = await startSwarmdeck();
const { origin, pid } = swarmdeck;
const { key } = await signUp(origin, 'bench-tracks');
const latitudes = Float64Array.from({ length: count * 2 }, () => 50);
const ids = await each(
  [...latitudes.keys()],
  async (index) => {
    const made = await post(`${origin}/service/resources`, key, {
      name: `Bus ${index}`,
      machine_type: 'bug',
      keep_track: index < count,
    });
    return ((await made.json()) as { id: string }).id;
  },
  connections,
);

let next = 0;
/** `of`: as many devices move in turn. In µs for each move: by the clock, and of the server's processor time. */
async function move({ isTracked, of }: { isTracked: boolean; of: number }) {
  const used = processorSeconds(pid);
  const { requests, duration, non2xx, errors } = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    headers: key,
    requests: [
      {
        method: 'PUT',
        setupRequest(request) {
          const index = (isTracked ? 0 : count) + (next++ % of);
          // 100 m
          latitudes[index]! += 0.001;
          const position = { longitude: 8, latitude: latitudes[index]! };
          return { ...request, path: `/service/resources/${ids[index]}`, body: JSON.stringify({ position }) };
        },
      },
    ],
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} failed, ${errors} errors`);
  const each = 1e6 / requests.total;
  return { clock: duration * each, processor: (processorSeconds(pid) - used) * each };
}

console.log(`${machine()}, ${rounds} rounds of ${seconds} s, ${connections} connections\n`);
console.log('| positions | | without, µs | with, µs | with / without | at most |\n|---|---|---|---|---|---|');
for (const [what, of] of [
  // Each device moves again after more than the second that points are apart.
  ['all are points', count],
  ['few are points', count / 100],
] as const) {
  const pairs: Record<'without' | 'kept', Awaited<ReturnType<typeof move>>>[] = [];
  for (let round = -1; round < rounds; round++) {
    const first = await move({ isTracked: round % 2 === 0, of });
    const second = await move({ isTracked: round % 2 !== 0, of });
    const pair = round % 2 === 0 ? { kept: first, without: second } : { without: first, kept: second };
    // The first one warms up.
    if (round >= 0) pairs.push(pair);
  }
  for (const key of ['clock', 'processor'] as const) {
    const each = (side: 'without' | 'kept') => median(pairs.map((pair) => pair[side][key])).toFixed(0);
    const ratio = median(pairs.map(({ without, kept }) => kept[key] / without[key])).toFixed(2);
    console.log(`| ${what} | ${key} | ${each('without')} | ${each('kept')} | ${ratio} | 1.15 |`);
  }
}

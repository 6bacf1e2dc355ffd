/**
 * `npm run bench -- requests`: the processor time of a GET of one resource that is neither counted nor logged, counted, and
 * both, on three ports of one process, in alternating order. ROUNDS (8) of SECONDS (2). Prints a table; asserts nothing.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { machine, median, post, signUp } from './harness.ts';

const rounds = Number(process.env['ROUNDS'] ?? 8);
const seconds = Number(process.env['SECONDS'] ?? 2);
const ways = ['plain', 'counted', 'logged'] as const;
type Way = (typeof ways)[number];

const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
const server = fork(
  join(import.meta.dirname, '../../bff/src/capabilities/metrics/requests-bench.fixture.ts'),
  [folder],
  {
    execArgv: ['--max-semi-space-size=16'],
  },
);
const [origins] = (await once(server, 'message')) as [Record<Way, string>];
const { key } = await signUp(origins.plain, 'bench-reader');
const made = await post(`${origins.plain}/service/resources`, key, { name: 'Station', machine_type: 'bug' });
const { id } = (await made.json()) as { id: string };

async function processorTime(): Promise<number> {
  server.send('cpu');
  const [{ cpu }] = (await once(server, 'message')) as [{ cpu: number }];
  return cpu;
}

/** Microseconds of processor time for each request. */
async function measure(way: Way): Promise<number> {
  const before = await processorTime();
  const url = `${origins[way]}/service/resources/${id}`;
  const result = await autocannon({ url, connections: 20, duration: seconds, headers: key });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${way}: ${result.non2xx} failed`);
  return ((await processorTime()) - before) / result.requests.total;
}

for (const way of ways) await measure(way);
const times: Record<Way, number[]> = { plain: [], counted: [], logged: [] };
for (let round = 0; round < rounds; round++) {
  // Each way is first, second and last equally often.
  for (let turn = 0; turn < ways.length; turn++) {
    const way = ways[(round + turn) % ways.length]!;
    times[way].push(await measure(way));
  }
}
server.kill();
rmSync(folder, { recursive: true });

console.log(`${machine()}, ${rounds} rounds of ${seconds} s\n`);
console.log('| a GET of one resource | µs, least | of plain | µs, median | of plain | of plain, all rounds |');
console.log('| --- | --- | --- | --- | --- | --- |');
const least = (way: Way) => Math.min(...times[way]);
for (const way of ways) {
  const ofPlain = (value: number, plain: number) => (value / plain).toFixed(3);
  const each = times[way].map((time, round) => ofPlain(time, times.plain[round]!)).toSorted();
  const cells = [
    way,
    least(way).toFixed(1),
    ofPlain(least(way), least('plain')),
    median(times[way]).toFixed(1),
    ofPlain(median(times[way]), median(times.plain)),
    `${each[0]} to ${each.at(-1)}`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

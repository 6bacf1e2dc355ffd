/**
 * A fixed piece of work, which tells a slow machine from slow tests: `npm test` prints how long it took beside its own time. It never
 * changes, so that the times of different commits and machines can be compared.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { run } from './run.ts';

/** In seconds: each processor does it at the same time. The shortest of three, because another program may run for a moment. */
export async function timeFixedWork(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const work = () => run({ command: process.execPath, args: [import.meta.filename] });
    const done = await Promise.all(Array.from({ length: availableParallelism() }, work));
    const failed = done.find(({ code }) => code !== 0);
    if (failed) throw new Error(`the fixed piece of work: ${failed.output}`);
    times.push(Math.max(...done.map(({ seconds }) => seconds)));
  }
  return Math.min(...times);
}

/**
 * Returns a function with the part of the time since then, in percent, in which the processors computed: with less than 90, more workers
 * would help.
 */
export function watchProcessors(): () => string {
  const read = () =>
    cpus().reduce(
      (sum, { times }) => {
        const all = Object.values(times).reduce((one, other) => one + other);
        return { all: sum.all + all, busy: sum.busy + all - times.idle };
      },
      { all: 0, busy: 0 },
    );
  const before = read();
  return () => {
    const now = read();
    return `${((100 * (now.busy - before.busy)) / (now.all - before.all)).toFixed(0)} %`;
  };
}

/** What tests do most: objects, texts, memory, hashes, and the start of a process. */
function work() {
  for (let round = 0; round < 2; round += 1) {
    const rows = Array.from({ length: 30_000 }, (_, index) => {
      const id = createHash('sha256').update(String(index)).digest('hex');
      return { id, name: `Buoy ${index % 977}`, position: { longitude: index / 177, latitude: index / 391 } };
    });
    const read = JSON.parse(JSON.stringify(rows)) as typeof rows;
    const sorted = read.toSorted((a, b) => a.id.localeCompare(b.id));
    const matching = sorted.filter(({ name }) => /^buoy (\d*[37])$/i.test(name));
    if (matching.length === 0) throw new Error('no row matches');
    spawnSync(process.execPath, ['--eval', '']);
  }
}

if (import.meta.main) work();

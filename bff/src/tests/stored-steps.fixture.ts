/** A device with recorded values. */
import { dayMs, hourMs } from '../core/limits/durations.ts';
import type { Database } from '../core/store/database.ts';
import type { Statement } from '../core/store/statement.ts';
import { valueLimits } from '../capabilities/values/limits.ts';
import { blockKeyOf, lengthOfBlock, packBlock } from '../capabilities/values/value-blocks.ts';
import { longestStep, stepOfPoints, type SeriesByKey } from '../capabilities/values/value-steps.ts';

/** Hourly steps of as many numbers as a device may have, which do not compress well, as measurements do not. */
function hourlySeries(since: number) {
  let seed = 7;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 1e4;
  const samples = () =>
    Array.from({ length: valueLimits.stepsInRow }, (_, n) => {
      const [low, middle, high] = [random(), random(), random()].toSorted((a, b) => a - b) as [number, number, number];
      return { at: since + n * hourMs, first: low, last: high, min: low, max: high, mean: middle, count: 12 };
    });
  return new Map(Array.from({ length: valueLimits.numbers }, (_, n) => [`level${n}`, samples()]));
}

/** The device gets so many hourly steps of a year, and two blocks of finer ones that are to be compacted. */
export async function storeSteps(options: { db: Database; id: string; steps: number; now: number }): Promise<void> {
  const { db, id, steps, now } = options;
  const [fine, hourly] = [stepOfPoints, longestStep];
  const newest = blockKeyOf(now - 8 * dayMs, hourly);
  const oldest = blockKeyOf(now - 360 * dayMs, hourly);
  await db.write([
    {
      sql: `UPDATE resources SET keep_values = 'time', values_since = $2 WHERE id = $1`,
      params: [id, new Date(oldest * lengthOfBlock(hourly)).toISOString()],
    },
    {
      sql: `INSERT INTO device_values (ref, user_id, seq, open, last, audiences) SELECT ref, user_id, 0, '', '[]', '[]' FROM resources WHERE id = $1`,
      params: [id],
    },
  ]);
  const blockOf = (step: number, audience: number, part: number, numbers: SeriesByKey['numbers']): Statement => {
    const times = [...numbers.values()].flatMap((samples) => samples.map(({ at }) => at));
    const [starts, ends] = [Math.min(...times), Math.max(...times)];
    const content = packBlock({ numbers, states: new Map() }, step);
    return {
      sql: `INSERT INTO value_blocks (ref, step, audience, part, user_id, starts, ends, points, content)
            SELECT ref, $2, $3, $4, user_id, $5, $6, $7, $8 FROM resources WHERE id = $1`,
      params: [id, step, audience, part, starts, ends, times.length, content],
    };
  };
  // To several sets of swarms in the same time, as one year of hours has fewer.
  const places = Array.from({ length: 4 }, (_, audience) =>
    Array.from({ length: newest - oldest }, (_, n) => ({ audience, part: oldest + n })),
  ).flat();
  const stepsOfBlock = valueLimits.numbers * valueLimits.stepsInRow;
  for (const { audience, part } of places.slice(0, Math.floor(steps / stepsOfBlock)))
    await db.write([blockOf(hourly, audience, part, hourlySeries(part * lengthOfBlock(hourly)))]);
  // Two times that are due, of which one is old: a device that sends its own times.
  for (const part of [oldest, newest - 5]) {
    const since = part * lengthOfBlock(hourly);
    const samples = Array.from({ length: 10 }, (_, n) => ({
      at: since + n * fine * 1000,
      first: n,
      last: n,
      min: n,
      max: n,
      mean: n,
      count: 1,
    }));
    await db.write([blockOf(fine, 0, blockKeyOf(since, fine), new Map([['level0', samples]]))]);
  }
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hourMs } from '../../core/limits/durations.ts';
import { valueLimits } from './limits.ts';
import { createAnswerSeries, type SeriesColumns } from './answer-series.ts';
import type { NumberColumns } from './value-blocks.ts';

const { pointsOfSeries, seriesOfAnswer } = valueLimits;
const secondMs = 1000;

interface Sent {
  at: number;
  value: number;
}

/** What an answer has, from all samples at once. */
function expected(all: readonly Sent[], step: number) {
  const inOrder = all.toSorted((a, b) => a.at - b.at);
  if (step === 0) return inOrder.map(({ at, value }) => [at, value]);
  const steps = Map.groupBy(inOrder, ({ at }) => Math.floor(at / (step * secondMs)) * step * secondMs);
  return [...steps].map(([at, some]) => {
    const values = some.map(({ value }) => value);
    return [at, values[0], values.at(-1), Math.min(...values), Math.max(...values), values.length];
  });
}

function found({ columns: [times, values, ...more] }: SeriesColumns) {
  return times!.map((at, index) =>
    more.length === 0 ? [at, values![index]] : [at, ...more.map((column) => column[index])],
  );
}

const columnsOf = (all: readonly Sent[]): NumberColumns => {
  const values = all.map(({ value }) => value);
  return {
    times: all.map(({ at }) => at),
    first: values,
    last: values,
    min: values,
    max: values,
    mean: values,
    count: undefined,
  };
};

test('steps are as short as the number of points allows, in whatever order the samples come', () => {
  const sent = fc.record({ at: fc.integer({ min: 0, max: 100_000 }), value: fc.integer({ min: -5, max: 5 }) });
  fc.assert(
    fc.property(
      fc.array(sent, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 100 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      (some, times, areSteps, apart) => {
        const all = Array.from({ length: times }, (_, index) =>
          some.map(({ at, value }) => ({ at: Math.floor((at + index * apart * 1000) / 1000) * 1000, value })),
        ).flat();
        const series = createAnswerSeries({ leastStep: 0 });
        for (let index = 0; index < all.length; index++) {
          const { at, value } = all[index]!;
          if (areSteps) series.step('a', { columns: columnsOf(all), index, seconds: 1 });
          else series.point('a', at, value);
        }
        const {
          step,
          series: [a],
        } = series.all();
        const shorter = [0, 1, 5, 15, 60, 300].filter((each) => each < step && (!areSteps || each > 0));
        expect(shorter.every((each) => expected(all, each).length > pointsOfSeries)).toBe(true);
        expect(found(a!)).toEqual(expected(all, step));
      },
    ),
    { numRuns: 50 },
  );
});

test('a million points are no more than an answer has', () => {
  const series = createAnswerSeries({ leastStep: 0 });
  for (let index = 0; index < 1_000_000; index++) series.point('a', index * secondMs, index % 10);
  const {
    step,
    series: [a],
  } = series.all();
  expect(step).toBe(3600);
  expect(a!.columns[0]).toHaveLength(Math.ceil(1_000_000 / 3600));
  expect(a!.columns[1]![0]).toBe(4.5);
});

test('a state that is sent each hour of a year is thinned to one in a step', () => {
  const series = createAnswerSeries({ leastStep: 3600 });
  for (let hour = 0; hour < 365 * 24; hour++) series.point('open', hour * hourMs, hour % 2 === 0);
  const {
    step,
    series: [open],
  } = series.all();
  const times = open!.columns[0] as number[];
  expect(times.length).toBeLessThanOrEqual(pointsOfSeries);
  expect(times[0]).toBe(0);
  expect(times.every((at, index) => index === 0 || at - times[index - 1]! <= 2 * step * secondMs)).toBe(true);
});

test('of many keys, those with the newest values', () => {
  const series = createAnswerSeries({ leastStep: 0 });
  for (let index = 0; index < 2 * seriesOfAnswer; index++) {
    series.point(`n${index}`, index, 1);
    series.point(`s${index}`, index, 'on');
  }
  const keys = series.all().series.map(({ key }) => key);
  expect(keys).toHaveLength(seriesOfAnswer);
  expect(keys.every((key) => Number(key.slice(1)) >= 1.5 * seriesOfAnswer)).toBe(true);
});

import { expect, test } from 'vitest';
import { minuteMs } from '@swarmdeck/bff/durations';
import { asPrecise, firstAfter, indexAt, longestPause, seriesOf, summaryOf, withNewer, type Series } from './series.ts';

const sent = (at: number, payload: unknown, from = 'd1') => ({ from, sent_at: new Date(at).toISOString(), payload });
const numbers = (times: number[], values: number[], step: number | null = null): Series => ({
  id: 'd1 number t',
  resource_id: 'd1',
  key: 't',
  kind: 'number',
  times,
  values,
  step,
});

test('a key that is a number one day and a text the next has two series', () => {
  const series = seriesOf([sent(1000, { level: 3 }), sent(2000, { level: 'low' }), sent(3000, { level: 4 })]);
  expect(series.map(({ kind, times, values }) => ({ kind, times, values }))).toEqual([
    { kind: 'number', times: [1000, 3000], values: [3, 4] },
    { kind: 'state', times: [2000], values: ['low'] },
  ]);
});

test('the values are those that the server records', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index]));
  expect(seriesOf([sent(0, many)])).toHaveLength(64);
  expect(seriesOf([sent(0, { ['k'.repeat(101)]: 1 })])).toEqual([]);
  expect(seriesOf([sent(0, { door: 'o'.repeat(100) })])[0]?.values).toEqual(['o'.repeat(64)]);
  expect(seriesOf([{ ...sent(0, 'open'), encoding: 'text' }])[0]).toMatchObject({ key: 'value', values: ['open'] });
  expect(seriesOf([sent(0, { battery: { volts: 3.8, cells: [1] } })])[0]?.key).toBe('battery.volts');
});

test('what is not JSON has no values, and NaN as text is a state', () => {
  expect(seriesOf([{ ...sent(0, 'TjQ='), encoding: 'base64' }])).toEqual([]);
  expect(seriesOf([sent(0, { t: 'NaN' })])[0]).toMatchObject({ kind: 'state', values: ['NaN'] });
});

test('newer values are added once, where their times are', () => {
  const before = [numbers([1000, 2000], [1, 2])];
  const newer = seriesOf([sent(2000, { t: 9 }), sent(2500, { t: 3 }), sent(3000, { t: 4, u: 5 })]);
  const [first, other] = withNewer(before, newer, 2600);
  expect(first).toMatchObject({ times: [1000, 2000, 2500, 3000], values: [1, 2, 3, 4] });
  expect(other).toMatchObject({ key: 'u', values: [5] });
  expect(withNewer(before, [])).toEqual(before);
});

test('what was sent to another swarm meanwhile is between', () => {
  const ofOne = seriesOf([sent(1000, { t: 1 }), sent(3000, { t: 3 })]);
  const ofOther = seriesOf([sent(1000, { t: 1 }), sent(2000, { t: 2 })]);
  expect(withNewer(ofOne, ofOther)).toMatchObject([{ times: [1000, 2000, 3000], values: [1, 2, 3] }]);
  expect(withNewer(ofOne, ofOne)).toEqual(ofOne);
});

test('newer values that came in another order are in theirs', () => {
  const [joined] = withNewer([numbers([1000], [1])], [numbers([3000, 2000], [3, 2])]);
  expect(joined).toMatchObject({ times: [1000, 2000, 3000], values: [1, 2, 3] });
});

test('steps get newer values as their own least and most', () => {
  const steps = [{ ...numbers([0], [2], minuteMs), least: [1], most: [3], counts: [5] }];
  expect(withNewer(steps, seriesOf([sent(1000, { t: 9 }), sent(minuteMs, { t: 7 })]), 2000)[0]).toMatchObject({
    values: [2, 7],
    least: [1, 7],
    most: [3, 7],
    counts: [5, 1],
  });
});

test.each([
  ['five times the usual distance', { times: [0, minuteMs, 2 * minuteMs, 60 * minuteMs, 61 * minuteMs] }, 5 * minuteMs],
  ['not less than ten seconds', { times: [0, 100, 200] }, 10_000],
  ['one missing step', { times: [0], step: minuteMs }, 1.5 * minuteMs],
  ['of a state: the hour in which it is stored again', { times: [0], kind: 'state' as const }, 120 * minuteMs],
])('a gap is longer than %s', (_case, series, pause) => {
  expect(longestPause({ kind: 'number', step: null, ...series })).toBe(pause);
});

test('the value at a time is the last one before it, unless a gap is between', () => {
  const series = numbers([0, minuteMs, 2 * minuteMs, 60 * minuteMs], [1, 2, 3, 4]);
  expect([-1, 0, 90_000, 6 * minuteMs, 20 * minuteMs, 61 * minuteMs].map((at) => indexAt(series, at))).toEqual([
    -1, 0, 1, 2, -1, 3,
  ]);
});

test('the first time after another is found among equal ones', () => {
  expect([0, 1, 2, 3].map((at) => firstAfter([1, 1, 2], at))).toEqual([0, 2, 3, 3]);
});

test('a summary has the numbers within a time, also very large ones', () => {
  expect(summaryOf(numbers([0, 1, 2, 3], [9, 1, 2, 9]), [1, 2])).toEqual({ count: 2, least: 1, mean: 1.5, most: 2 });
  expect(summaryOf(numbers([0, 1], [1e308, 1e308]), [0, 1]).mean).toBe(1e308);
  expect(summaryOf(numbers([], []), [0, 1])).toEqual({ count: 0 });
  // A step with one number is not as much as one with many.
  const steps = { ...numbers([0, 1], [20, 100], minuteMs), counts: [3600, 1] };
  expect(summaryOf(steps, [0, 1])).toMatchObject({ count: 3601, mean: expect.closeTo(20.02, 2) as number });
});

test('a mean has as many digits as its numbers', () => {
  const steps = { ...numbers([0, minuteMs], [10.185, 11], minuteMs), least: [10.1, 11], most: [10.25, 11] };
  expect(asPrecise(10.185_432, steps)).toBe(10.19);
  expect(asPrecise(20.75, numbers([0, minuteMs], [20, 21.5]))).toBe(20.8);
  expect(asPrecise(1.5e-9, numbers([0, minuteMs], [1e-9, 2e-9]))).toBe(1.5e-9);
  expect(asPrecise('open', numbers([0], [1]))).toBe('open');
});

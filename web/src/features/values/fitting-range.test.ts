import { expect, test } from 'vitest';
import { extentOf, fittingRange, startOf } from './fitting-range.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const now = 1000 * day;

test('the extent of series is from their first to their last value', () => {
  expect(extentOf([{ times: [5, 9] }, { times: [] }, { times: [3, 4] }])).toEqual([3, 9]);
  expect(extentOf([{ times: [] }])).toBeUndefined();
});

test.each([
  ['values of four minutes', [now - 4 * minute, now], 'day', 'hour'],
  ['values of a day', [now - day + minute, now], 'day', 'day'],
  ['a first step that begins before the range', [now - day - minute, now], 'day', 'day'],
  ['values of two days, after a year was chosen', [now - 2 * day, now - day], 'year', 'week'],
  ['a device that is silent for ten days', [now - 200 * day, now - 10 * day], 'day', 'month'],
  ['no values', undefined, 'week', 'week'],
] as const)('charts open with a range that fits %s', (_case, extent, longest, range) => {
  expect(fittingRange({ extent, longest, now })).toBe(range);
});

test('values of some minutes are not at the edge of an hour', () => {
  expect(startOf({ extent: [now - 4 * minute, now], now, length: hour })).toBe(now - 4.2 * minute);
  expect(startOf({ extent: [now, now], now, length: hour })).toBe(now - minute);
  expect(startOf({ extent: [now - 2 * hour, now], now, length: day })).toBe(now - day);
  expect(startOf({ extent: undefined, now, length: hour })).toBe(now - hour);
});

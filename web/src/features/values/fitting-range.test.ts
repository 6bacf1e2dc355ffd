import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '@swarmdeck/bff/durations';
import { extentOf, fittingRange, startOf } from './fitting-range.ts';

const now = 1000 * dayMs;

test('the extent of series is from their first to their last value', () => {
  expect(extentOf([{ times: [5, 9] }, { times: [] }, { times: [3, 4] }])).toEqual([3, 9]);
  expect(extentOf([{ times: [] }])).toBeUndefined();
});

test.each([
  ['values of four minutes', [now - 4 * minuteMs, now], 'day', 'hour'],
  ['values of a day', [now - dayMs + minuteMs, now], 'day', 'day'],
  ['a first step that begins before the range', [now - dayMs - minuteMs, now], 'day', 'day'],
  ['values of two days, after a year was chosen', [now - 2 * dayMs, now - dayMs], 'year', 'week'],
  ['a device that is silent for ten days', [now - 200 * dayMs, now - 10 * dayMs], 'day', 'month'],
  ['no values', undefined, 'week', 'week'],
] as const)('charts open with a range that fits %s', (_case, extent, longest, range) => {
  expect(fittingRange({ extent, longest, now })).toBe(range);
});

test('values of some minutes are not at the edge of an hour', () => {
  expect(startOf({ extent: [now - 4 * minuteMs, now], now, length: hourMs })).toBe(now - 4.2 * minuteMs);
  expect(startOf({ extent: [now, now], now, length: hourMs })).toBe(now - minuteMs);
  expect(startOf({ extent: [now - 2 * hourMs, now], now, length: dayMs })).toBe(now - dayMs);
  expect(startOf({ extent: undefined, now, length: hourMs })).toBe(now - hourMs);
});

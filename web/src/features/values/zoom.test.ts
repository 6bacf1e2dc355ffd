import { expect, test } from 'vitest';
import { pinched, zoomed } from './zoom.ts';

test('a zoom keeps the time that it is at', () => {
  expect(zoomed([0, 100_000], { at: 25_000, by: 0.5 })).toEqual([12_500, 62_500]);
  expect(zoomed([0, 1000], { at: 500, by: 0.5 })).toEqual([0, 1000]);
});

test('two fingers stay on the times that they have touched', () => {
  const span = [0, 100_000] as const;
  // Twice as far apart shows half of the time.
  expect(pinched(span, { touched: [0.25, 0.5], now: [0.25, 0.75] })).toEqual([12_500, 62_500]);
  // The same distance moves it.
  expect(pinched(span, { touched: [0.25, 0.5], now: [0.5, 0.75] })).toEqual([-25_000, 75_000]);
});

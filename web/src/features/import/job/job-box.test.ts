import { expect, test } from 'vitest';
import { timeLeft } from './job-box.tsx';

test('the remaining time is extrapolated from the finished rows', () => {
  expect(timeLeft({ ms: 10_000, done: 100, rest: 400 })).toEqual({ minutes: 0, seconds: 40 });
  expect(timeLeft({ ms: 10_000, done: 100, rest: 30 })).toEqual({ minutes: 0, seconds: 3 });
  expect(timeLeft({ ms: 10_000, done: 100, rest: 2400 })).toEqual({ minutes: 4, seconds: 0 });
});

test('there is no estimate in the first seconds or before the first row', () => {
  expect(timeLeft({ ms: 500, done: 100, rest: 400 })).toBeUndefined();
  expect(timeLeft({ ms: 5000, done: 0, rest: 400 })).toBeUndefined();
});

import { expect, test } from 'vitest';
import { timeLeft } from './time-left.ts';

test('the rest takes as long for each row as what is done', () => {
  expect(timeLeft({ ms: 10_000, done: 100, rest: 400 })).toEqual({ minutes: 0, seconds: 40 });
  expect(timeLeft({ ms: 10_000, done: 100, rest: 30 })).toEqual({ minutes: 0, seconds: 3 });
  expect(timeLeft({ ms: 10_000, done: 100, rest: 2400 })).toEqual({ minutes: 4, seconds: 0 });
});

test('nothing is said before there is something to go by', () => {
  expect(timeLeft({ ms: 500, done: 100, rest: 400 })).toBeUndefined();
  expect(timeLeft({ ms: 5000, done: 0, rest: 400 })).toBeUndefined();
});

import { expect, test } from 'vitest';
import { liveStateOf } from './live-state.ts';

const fine = { live: true, lostAt: null, answeredAt: 100_000, seenAt: 0, away: false, now: 103_000 };

test('a wall is live while news and answers come', () => {
  expect(liveStateOf(fine).state).toBe('live');
  expect(liveStateOf({ ...fine, live: false }).state).toBe('starting');
});

test('it says since when the stream is lost', () => {
  expect(liveStateOf({ ...fine, live: false, lostAt: 101_000 })).toEqual({ state: 'lost', since: 101_000 });
});

test('a cut line is found out by answers that fail, or do not come', () => {
  expect(liveStateOf({ ...fine, away: true })).toEqual({ state: 'lost', since: 100_000 });
  expect(liveStateOf({ ...fine, now: 113_000 })).toEqual({ state: 'lost', since: 100_000 });
});

test('a page that comes back into sight is given time to ask', () => {
  const back = { ...fine, now: 900_000, seenAt: 899_000 };
  expect(liveStateOf(back).state).toBe('live');
  expect(liveStateOf({ ...back, now: 912_000 }).state).toBe('lost');
});

test('before the first answer nothing is lost', () => {
  expect(liveStateOf({ ...fine, live: false, answeredAt: 0, away: true }).state).toBe('starting');
});

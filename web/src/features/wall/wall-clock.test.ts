import { expect, test } from 'vitest';
import { durationOf } from './wall-clock.tsx';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

test('the duration is shown from the first minute', () => {
  const none = { days: 0, hours: 0, minutes: 0 };
  expect(durationOf(0)).toEqual(none);
  expect(durationOf(minute - 1)).toEqual(none);
  expect(durationOf(minute)).toEqual({ days: 0, hours: 0, minutes: 1 });
});

test('the duration has its two largest units', () => {
  expect(durationOf(2 * hour + 5 * minute)).toEqual({ days: 0, hours: 2, minutes: 5 });
  expect(durationOf(3 * day + 6 * hour + 59 * minute)).toEqual({ days: 3, hours: 6, minutes: 0 });
  expect(durationOf(400 * day)).toEqual({ days: 400, hours: 0, minutes: 0 });
});

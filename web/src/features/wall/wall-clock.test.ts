import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '@swarmdeck/bff/durations';
import { durationOf } from './wall-clock.tsx';

test('the duration is shown from the first minute', () => {
  const none = { days: 0, hours: 0, minutes: 0 };
  expect(durationOf(0)).toEqual(none);
  expect(durationOf(minuteMs - 1)).toEqual(none);
  expect(durationOf(minuteMs)).toEqual({ days: 0, hours: 0, minutes: 1 });
});

test('the duration has its two largest units', () => {
  expect(durationOf(2 * hourMs + 5 * minuteMs)).toEqual({ days: 0, hours: 2, minutes: 5 });
  expect(durationOf(3 * dayMs + 6 * hourMs + 59 * minuteMs)).toEqual({ days: 3, hours: 6, minutes: 0 });
  expect(durationOf(400 * dayMs)).toEqual({ days: 400, hours: 0, minutes: 0 });
});

import { expect, test } from 'vitest';
import { shownFor } from './shown-for.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

test('the duration is shown from the first minute', () => {
  expect(shownFor(0)).toBeNull();
  expect(shownFor(minute - 1)).toBeNull();
  expect(shownFor(minute)).toEqual({ days: 0, hours: 0, minutes: 1 });
});

test('the duration has its two largest units', () => {
  expect(shownFor(2 * hour + 5 * minute)).toEqual({ days: 0, hours: 2, minutes: 5 });
  expect(shownFor(3 * day + 6 * hour + 59 * minute)).toEqual({ days: 3, hours: 6, minutes: 0 });
  expect(shownFor(400 * day)).toEqual({ days: 400, hours: 0, minutes: 0 });
});

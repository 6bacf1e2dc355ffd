import { beforeAll, expect, test } from 'vitest';
import { dayMs, hourMs } from '@swarmdeck/bff/durations';
import { loadTexts } from '../../text/text.ts';
import { timeLabels } from './time-axis.ts';

beforeAll(() => loadTexts('de'));

test('the first time of a day has its date', () => {
  const at = new Date(2026, 10, 9, 22).getTime();
  expect(timeLabels([at, at + hourMs, at + 2 * hourMs], hourMs)).toEqual([
    '22:00\n9. Nov.',
    '23:00',
    '00:00\n10. Nov.',
  ]);
  expect(timeLabels([at], 24 * hourMs)).toEqual(['9. Nov.']);
});

test('the first month of a year has its year', () => {
  const months = [10, 11, 12, 13].map((month) => new Date(2026, month).getTime());
  expect(timeLabels(months, 30 * dayMs)).toEqual(['Nov\n2026', 'Dez', 'Jan\n2027', 'Feb']);
});

import { beforeAll, expect, test } from 'vitest';
import { tickLabels } from './tick-labels.ts';
import { formatValue } from './format-value.ts';
import { loadTexts } from './text.ts';

beforeAll(() => loadTexts('en'));

test('ticks have as many digits as tell them apart', () => {
  expect(tickLabels([20, 20.5, 21])).toEqual(['20', '20.5', '21']);
  expect(tickLabels([3.5, 3.75, 4])).toEqual(['3.5', '3.75', '4']);
  expect(tickLabels([0, 500, 1000])).toEqual(['0', '500', '1,000']);
  expect(tickLabels([21.5001, 21.5002])).toEqual(['21.5001', '21.5002']);
  expect(tickLabels([0, 5e307])).toEqual(['0E0', '5E307']);
  expect(tickLabels([-1_234_567.2, -1_234_567.1])).toEqual(['-1,234,567.2', '-1,234,567.1']);
});

test('values are read by people', () => {
  expect([true, 'open', '\u202Enepo', 1013.25, 1e308, 2e-9, 0].map(formatValue)).toEqual([
    'true',
    'open',
    'nepo',
    '1,013.25',
    '1E308',
    '2E-9',
    '0',
  ]);
});

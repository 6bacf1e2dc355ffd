import { expect, test, vi } from 'vitest';
import { createOutage, reportedOnce } from './outage.ts';

test('the first error of each outage is reported', () => {
  const report = vi.fn<(error: unknown) => void>();
  const outage = createOutage(report);
  expect(outage.isOngoing).toBe(false);
  expect(['first', 'second', 'third'].map(outage.failed)).toEqual([true, false, false]);
  expect(outage.isOngoing).toBe(true);
  outage.succeeded();
  expect(outage.isOngoing).toBe(false);
  expect(outage.failed('fourth')).toBe(true);
  expect(report.mock.calls).toEqual([['first'], ['fourth']]);
});

test('repeated work does not throw, and one error of each outage is reported', async () => {
  const report = vi.fn<(error: unknown) => void>();
  const results = [1, 2, undefined, 3, undefined, undefined, 4, 5].map((number) => number && new Error(`${number}`));
  const work = reportedOnce(async () => {
    const error = results.shift();
    if (error) throw error;
  }, report);
  while (results.length > 0) await work();
  expect(report.mock.calls.map(([error]) => (error as Error).message)).toEqual(['1', '3', '4']);
});

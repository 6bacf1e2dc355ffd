import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBudget } from './budget.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('who has spent it waits, in turns and no longer than it takes, and others do not', async () => {
  const budget = createBudget({ perSecond: 100, burst: 100 });
  expect([budget.spend('ann', 60), budget.spend('ann', 60), budget.spend('ann', 1)]).toEqual([true, true, false]);
  const began: string[] = [];
  for (const name of ['first', 'second', 'third']) void budget.spendWhenLeft('ann', 50).then(() => began.push(name));
  expect(budget.queued()).toBe(3);
  expect([budget.spend('ben', 1), budget.queued()]).toEqual([true, 3]);
  await vi.advanceTimersByTimeAsync(205);
  expect(began).toEqual(['first']);
  // Who comes later does not overtake those who wait.
  expect(budget.spend('ann', 1)).toBe(false);
  await vi.advanceTimersByTimeAsync(500);
  expect(began).toEqual(['first', 'second']);
  await vi.advanceTimersByTimeAsync(500);
  expect(began).toEqual(['first', 'second', 'third']);
  expect(budget.queued()).toBe(0);
  await vi.advanceTimersByTimeAsync(500);
  expect(budget.spend('ann', 1)).toBe(true);
});

test('what was not spent is given back, and what was spent in any case is owed', async () => {
  const budget = createBudget({ perSecond: 100, burst: 100 });
  await budget.spendWhenLeft('ann', 100);
  budget.correct('ann', -99);
  expect(budget.spend('ann', 1)).toBe(true);
  budget.correct('ann', 1000);
  const isOver = vi.fn<() => void>();
  void budget.spendWhenLeft('ann', 1).then(isOver);
  await vi.advanceTimersByTimeAsync(9000);
  expect(isOver).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(isOver).toHaveBeenCalledTimes(1);
});

test('without a limit nobody waits', async () => {
  const budget = createBudget({ perSecond: Infinity, burst: Infinity });
  await budget.spendWhenLeft('ann', 1e9);
  expect(budget.spend('ann', 1e9)).toBe(true);
});

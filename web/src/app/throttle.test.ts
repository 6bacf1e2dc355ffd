import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs immediately, then at most once in each period, and once after the last call', async () => {
  let runs = 0;
  const refetch = throttle({ everyMs: 200, run: async () => (runs += 1) });
  for (let step = 0; step < 49; step += 1) {
    refetch.schedule();
    if (step === 0) expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(runs).toBe(5);
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(6);
});

it('never runs concurrently', async () => {
  let runs = 0;
  const answer = Promise.withResolvers<void>();
  const refetch = throttle({ everyMs: 200, run: () => ((runs += 1), answer.promise) });
  refetch.schedule();
  await vi.advanceTimersByTimeAsync(1000);
  refetch.schedule();
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(1);
  answer.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(2);
});

it('runs a pending call when it is resumed, and drops it when it is stopped', async () => {
  let runs = 0;
  let may = false;
  const refetch = throttle({ everyMs: 200, run: async () => (runs += 1), mayRun: () => may });
  refetch.schedule();
  may = true;
  expect(runs).toBe(0);
  refetch.resume();
  refetch.resume();
  expect(runs).toBe(1);
  refetch.schedule();
  refetch.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(1);
});

it('runs immediately for the first item, then for all items that were added in the meantime', async () => {
  const taken: number[][] = [];
  const items: number[] = [];
  const burst = throttle({ everyMs: 100, run: () => taken.push(items.splice(0)) });
  const add = (item: number) => {
    items.push(item);
    burst.schedule();
  };
  for (const item of [1, 2, 3]) add(item);
  expect(taken).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(100);
  expect(taken).toEqual([[1], [2, 3]]);
  await vi.advanceTimersByTimeAsync(1000);
  add(4);
  expect(taken).toEqual([[1], [2, 3], [4]]);
});

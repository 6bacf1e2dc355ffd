import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gathered, paced } from './pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs at once, then at most every so often, and once more after the last question', async () => {
  let runs = 0;
  const news = paced({ everyMs: 200, run: async () => (runs += 1) });
  for (let step = 0; step < 49; step += 1) {
    news.ask();
    if (step === 0) expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(runs).toBe(5);
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(6);
});

it('never runs twice at a time', async () => {
  let runs = 0;
  const answer = Promise.withResolvers<void>();
  const news = paced({ everyMs: 200, run: () => ((runs += 1), answer.promise) });
  news.ask();
  await vi.advanceTimersByTimeAsync(1000);
  news.ask();
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(1);
  answer.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(2);
});

it('keeps the question while it may not run, and forgets it once stopped', async () => {
  let runs = 0;
  let may = false;
  const news = paced({ everyMs: 200, run: async () => (runs += 1), may: () => may });
  news.ask();
  may = true;
  expect(runs).toBe(0);
  news.resume();
  news.resume();
  expect(runs).toBe(1);
  news.ask();
  news.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(1);
});

it('takes the first at once, and together what has gathered since', async () => {
  const taken: number[][] = [];
  const burst = gathered<number>({ everyMs: 100, take: (items) => void taken.push(items) });
  for (const item of [1, 2, 3]) burst.add(item);
  expect(taken).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(100);
  expect(taken).toEqual([[1], [2, 3]]);
  await vi.advanceTimersByTimeAsync(1000);
  burst.add(4);
  expect(taken).toEqual([[1], [2, 3], [4]]);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OfflineError, ProblemError } from '../problem.ts';
import { startJob } from './long-job.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Each request takes 100 ms. */
function start(count: number, answer: (row: number) => string = () => 'sent', paused = false) {
  const told: [number, string][][] = [];
  const job = startJob<number, string>({
    rows: Array.from({ length: count }, (_, place) => [place, place]),
    send: (row) => new Promise((resolve, reject) => setTimeout(() => resolveWith(row, resolve, reject), 100)),
    refused: (_row, error) => `refused: ${(error as Error).message}`,
    tell: (ends) => told.push(ends),
    isMany: true,
    paused,
    pause: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  });
  const resolveWith = (row: number, resolve: (end: string) => void, reject: (error: unknown) => void) => {
    try {
      resolve(answer(row));
    } catch (error) {
      reject(error);
    }
  };
  const ended = () => told.flat().length;
  return { job, told, ended };
}

test('it tells in portions how far it is, and at the end the rest', async () => {
  const { job, told, ended } = start(100);
  await vi.advanceTimersByTimeAsync(550);
  expect(told.length).toBe(0);
  await vi.advanceTimersByTimeAsync(100);
  expect(told.map((ends) => ends.length)).toEqual([40]);
  await vi.advanceTimersByTimeAsync(5000);
  await job.done;
  expect(told.length).toBeLessThan(5);
  expect(new Set(told.flat().map(([place]) => place)).size).toBe(100);
  expect(ended()).toBe(100);
});

test('paused, it tells what was on its way and sends nothing more; resumed, it goes on', async () => {
  const { job, ended } = start(100);
  await vi.advanceTimersByTimeAsync(250);
  job.pause();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ended()).toBe(24);
  job.resume();
  await vi.advanceTimersByTimeAsync(10_000);
  await job.done;
  expect(ended()).toBe(100);
});

test('begun paused, it sends nothing until it is resumed', async () => {
  const { job, ended } = start(20, undefined, true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(ended()).toBe(0);
  job.resume();
  await vi.advanceTimersByTimeAsync(5000);
  expect(ended()).toBe(20);
});

test('stopped, also while it waits for somebody to answer, it ends and leaves the rest alone', async () => {
  const { job, ended } = start(100, () => {
    throw new OfflineError();
  });
  await vi.advanceTimersByTimeAsync(1000);
  job.stop();
  await vi.advanceTimersByTimeAsync(1);
  await job.done;
  expect(ended()).toBe(0);
});

test.each(['session.missing', 'idempotency.in_flight'])('%s is waited out', async (code) => {
  const problem = { type: '', title: '', status: 401, detail: '', code, request_id: '' };
  let error: Error | null = new ProblemError({ problem });
  const { job, told } = start(10, () => {
    if (error) throw error;
    return 'sent';
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(told).toEqual([]);
  error = null;
  await vi.advanceTimersByTimeAsync(20_000);
  await job.done;
  expect(told.flat().map(([, end]) => end)).toEqual(Array.from({ length: 10 }, () => 'sent'));
});

test('stopped while it is paused it ends', async () => {
  const { job, ended } = start(100);
  job.pause();
  job.stop();
  await vi.advanceTimersByTimeAsync(1000);
  await job.done;
  expect(ended()).toBeLessThanOrEqual(8);
});

test('what is refused has come to an end too', async () => {
  const { job, told } = start(3, (row) => {
    if (row === 1) throw new Error('no');
    return 'sent';
  });
  await vi.advanceTimersByTimeAsync(1000);
  await job.done;
  expect(told.flat().toSorted(([a], [b]) => a - b)).toEqual([
    [0, 'sent'],
    [1, 'refused: no'],
    [2, 'sent'],
  ]);
});

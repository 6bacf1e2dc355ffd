import type { Pool } from 'pg';
import { expect, test, vi } from 'vitest';
import { insertOf } from '../store.fixture.ts';
import { createWriter } from './writer.ts';

test('the end waits for writes, but only for seconds while no connection comes', async () => {
  vi.useFakeTimers();
  const pool = { connect: () => new Promise<never>(() => {}) };
  const writer = createWriter({ pool: pool as unknown as Pool, onCommit: async () => {}, notifyOthers: () => {} });
  void writer.write([insertOf('a')]);
  let isClosed = false;
  const closing = writer.close().then(() => (isClosed = true));
  await vi.advanceTimersByTimeAsync(9000);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(isClosed).toBe(true);
  await closing;
  vi.useRealTimers();
});

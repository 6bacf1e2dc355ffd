import { expect, test } from 'vitest';
import { ProblemError } from '../../api/problem.ts';
import { lanes, sendEach } from './bulk.ts';

const refusal = (status: number, retryAfter: number | null = null) =>
  new ProblemError({
    problem: { type: '', title: '', status, detail: '', code: `http.${status}`, request_id: '' },
    retryAfter,
  });
const rows = Array.from({ length: 30 }, (_, index) => index);

test('every row is sent once, eight at a time', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await sendEach({
    rows,
    async send(row) {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return row;
    },
    onResult: (row, result) => {
      expect(result).toEqual({ ok: true, data: row });
      done.push(row);
    },
  });
  expect(done.toSorted((a, b) => a - b)).toEqual(rows);
  expect(most).toBe(lanes);
});

test('a row that is refused says why, and the others go on', async () => {
  const error = refusal(400);
  const results = new Map<number, boolean>();
  await sendEach({
    rows: [0, 1, 2],
    send: (row) => (row === 1 ? Promise.reject(error) : Promise.resolve(row)),
    onResult: (row, result) => results.set(row, result.ok),
  });
  expect([...results].toSorted(([a], [b]) => a - b)).toEqual([
    [0, true],
    [1, false],
    [2, true],
  ]);
});

test('429 is waited out as long as the server asks, and the same row is sent again under its own index', async () => {
  const sent: number[] = [];
  const waited: number[] = [];
  let refused = false;
  await sendEach({
    rows: ['a', 'b'],
    send: async (row, index) => {
      sent.push(index);
      if (row === 'a' && !refused) {
        refused = true;
        throw refusal(429, 7);
      }
      return Promise.resolve(row);
    },
    onResult: (_row, result) => expect(result.ok).toBe(true),
    wait: async (seconds) => {
      waited.push(seconds);
      await Promise.resolve();
    },
  });
  expect(waited).toEqual([7]);
  expect(sent.toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
});

test('stopped, it begins no further row', async () => {
  const stop = new AbortController();
  const done: number[] = [];
  await sendEach({
    rows,
    send: async (row) => Promise.resolve(row),
    onResult: (row) => {
      done.push(row);
      stop.abort();
    },
    signal: stop.signal,
  });
  expect(done.length).toBeGreaterThan(0);
  expect(done.length).toBeLessThanOrEqual(lanes);
});

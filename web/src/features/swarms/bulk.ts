/**
 * Many requests of the spec, eight at a time. A 429 is waited out by all of them; each row comes to an end of its
 * own, and a row that fails stops nobody.
 */
import { ProblemError } from '../../api/problem.ts';

export const lanes = 8;

export type RowResult<Data> = { ok: true; data: Data } | { ok: false; error: unknown };

export async function sendEach<Row, Data>(job: {
  rows: readonly Row[];
  /** `index` is the row's place, for its idempotency key. */
  send(row: Row, index: number): Promise<Data>;
  onResult(row: Row, result: RowResult<Data>): void;
  /** Rows that have not begun when this is aborted are left alone. */
  signal?: AbortSignal;
  wait?: (seconds: number) => Promise<void>;
}): Promise<void> {
  const { rows, send, onResult, signal, wait = sleep } = job;
  let next = 0;
  let pause: Promise<void> | null = null;

  async function attempt(row: Row, index: number): Promise<RowResult<Data>> {
    for (;;) {
      if (pause) await pause;
      try {
        return { ok: true, data: await send(row, index) };
      } catch (error) {
        if (!(error instanceof ProblemError) || error.problem.status !== 429) return { ok: false, error };
        pause ??= wait(error.retryAfter ?? 1).then(() => {
          pause = null;
        });
      }
    }
  }

  async function lane(): Promise<void> {
    while (next < rows.length && !signal?.aborted) {
      const index = next++;
      const row = rows[index]!;
      onResult(row, await attempt(row, index));
    }
  }

  await Promise.all(Array.from({ length: lanes }, lane));
}

const sleep = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, QueryArrayResult } from 'pg';
import { StorageError } from '../statement.ts';
import type { Statement, WriteResult } from '../statement.ts';
import { prepared, rowsOf } from './connection.ts';
import { isBroken, isRetryable, storageError } from './fault.ts';

interface Waiting {
  statements: readonly Statement[];
  resolve: (result: WriteResult) => void;
  reject: (error: Error) => void;
}

const mostInBatch = 50;
const attempts = 6;
/**
 * Milliseconds. The writes of a batch take their locks in no common order, so two processes may wait for each other. A
 * write alone takes them in order, and may wait longer.
 */
const batchLockMs = 100;

/**
 * Commits writes in batches: what is waiting when the last batch returns is one transaction, whose statements are sent
 * together. If a statement fails or an expectation is not met, the batch is undone, and each write gets a transaction of
 * its own, so that one bad write does not fail its neighbours.
 */
export function createWriter({ pool, onCommit }: { pool: Pool; onCommit: () => Promise<void> }) {
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function run() {
    isRunning = true;
    // Entries of the same turn of the event loop share the first batch too.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostInBatch);
      waiting = waiting.slice(mostInBatch);
      await commit(batch);
    }
    isRunning = false;
  }

  async function commit(batch: readonly Waiting[]) {
    let results: WriteResult[] | undefined;
    try {
      if (batch.length > 1)
        results = await transact(
          pool,
          batch.map(({ statements }) => statements),
          [{ sql: `SET LOCAL lock_timeout = ${batchLockMs}` }],
        );
    } catch (error) {
      // If the commit was sent, nobody knows its outcome, and nothing may be repeated.
      if (error instanceof UnknownOutcome) return batch.forEach(({ reject }) => reject(storageError(error.cause)));
    }
    // The next batch does not wait until the changes of this one are published.
    if (results?.every(({ ok }) => ok)) return void resolveAll(batch, results);
    await Promise.all(batch.map(commitAlone));
    return undefined;
  }

  async function resolveAll(batch: readonly Waiting[], results: readonly WriteResult[]) {
    await onCommit();
    batch.forEach(({ resolve }, index) => resolve(results[index]!));
  }

  async function commitAlone({ statements, resolve, reject }: Waiting) {
    try {
      const result = await repeated(() => alone(pool, statements));
      if (result.ok) await onCommit();
      resolve(result);
    } catch (error) {
      reject(storageError(error instanceof UnknownOutcome ? error.cause : error));
    }
  }

  return {
    write: (statements: readonly Statement[]) =>
      new Promise<WriteResult>((resolve, reject) => {
        waiting.push({ statements, resolve, reject });
        if (!isRunning) void run();
      }),
  };
}

/** The connection was lost during the commit. */
class UnknownOutcome extends Error {}

/** Repeats a write that the server has undone because of another one. */
async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error;
      await sleep(Math.random() * 2 ** attempt * 4);
    }
  }
}

/** A single statement commits by itself. */
async function alone(pool: Pool, statements: readonly Statement[]): Promise<WriteResult> {
  const [first] = statements;
  if (statements.length !== 1 || !first) return (await transact(pool, [statements]))[0]!;
  const result = await pool.query(prepared(pool, first.sql, first.params));
  return isUnmet(first, result) ? { ok: false, failed: 0 } : { ok: true, rows: [rowsOf(result)] };
}

/**
 * Writes all of them in one transaction, or nothing: then the result of the write whose expectation was not met says so,
 * and there are no results after it.
 */
async function transact(
  pool: Pool,
  writes: readonly (readonly Statement[])[],
  settings: readonly Statement[] = [],
): Promise<WriteResult[]> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  try {
    const begin = [{ sql: 'BEGIN ISOLATION LEVEL READ COMMITTED' }, ...settings];
    const settled = await Promise.allSettled(
      [...begin, ...writes.flat()].map(({ sql, params }: Statement) => connection.query(prepared(pool, sql, params))),
    );
    const outcomes = settled.values();
    for (const _ of begin) valueOf(outcomes.next().value!);
    const results: WriteResult[] = [];
    for (const statements of writes) {
      const written: QueryArrayResult[] = [];
      for (const [failed, statement] of statements.entries()) {
        const result = valueOf(outcomes.next().value!);
        if (isUnmet(statement, result)) {
          await connection.query('ROLLBACK');
          return [...results, { ok: false, failed }];
        }
        written.push(result);
      }
      results.push({ ok: true, rows: written.map(rowsOf) });
    }
    await commit(connection);
    return results;
  } catch (error) {
    if (isBroken(error)) broken = error as Error;
    else await connection.query('ROLLBACK').catch((lost: Error) => (broken = lost));
    throw error;
  } finally {
    connection.release(broken);
  }
}

function valueOf<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

async function commit(connection: PoolClient) {
  let command: string;
  try {
    ({ command } = await connection.query('COMMIT'));
  } catch (error) {
    throw isBroken(error) ? new UnknownOutcome('the outcome of a commit is unknown', { cause: error }) : error;
  }
  // After an error, the server answers COMMIT with ROLLBACK, which is no error of `pg`.
  if (command !== 'COMMIT') throw new StorageError('away', 'the transaction was undone');
}

const isUnmet = ({ expect }: Statement, { rowCount }: QueryArrayResult) => expect === 'row' && !rowCount;

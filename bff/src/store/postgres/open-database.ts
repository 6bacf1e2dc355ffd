/**
 * The PostgreSQL store: any number of processes on one database. Reads and writes use a pool of connections. A write is
 * one transaction; its statements are sent together, so it takes two round trips, and one if it is a single statement.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { Pool, QueryArrayResult } from 'pg';
import type { Database } from '../database.ts';
import { StorageError } from '../statement.ts';
import type { Query, Statement, WriteResult } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { createChangeFeed } from './change-feed.ts';
import { openPool, prepared, rowsOf } from './connection.ts';
import { isBroken, isRetryable, storageError } from './fault.ts';
import { createDialect } from './kysely-dialect.ts';
import { migrate, unfinishedMove } from './migrate.ts';

const attempts = 6;

/**
 * Opens the database and brings it up to date; of several processes one does, and the others wait.
 * `url`: `postgres://user:password@host/database`. `directUrl`: the same database without a pooler, where `url` is of
 * PgBouncer in transaction mode. `report`: gets the errors of subscribers and lost connections.
 * @throws StorageError with a sentence for the operator
 */
export async function openDatabase({
  url,
  directUrl,
  report = () => {},
}: {
  url: string;
  directUrl?: string | undefined;
  report?: (error: unknown) => void;
}): Promise<Database> {
  await migrate({ url: directUrl ?? url });
  const pool = openPool({ url, isPooled: directUrl !== undefined, onLost: report });
  if (await unfinishedMove(pool)) {
    await pool.end();
    throw new StorageError('away', 'a move into this database was interrupted: run `swarmdeck move` again');
  }
  const feed = await createChangeFeed({ pool, url: directUrl ?? url, report });
  let isClosed = false;
  let closing: Promise<void> | undefined;

  async function read<R>({ sql, params }: Query): Promise<R[]> {
    try {
      return rowsOf(await pool.query(prepared(pool, sql, params))) as R[];
    } catch (error) {
      throw storageError(error);
    }
  }

  async function write(statements: readonly Statement[]): Promise<WriteResult> {
    if (isClosed) throw new StorageError('away', 'the database is closed');
    const result = await repeated(() => transact(pool, statements));
    if (result.ok) await feed.changed();
    return result;
  }

  async function close() {
    isClosed = true;
    await feed.close();
    await pool.end();
  }

  return {
    read,
    write,
    onCommit: feed.subscribe,
    catchUp: feed.catchUp,
    // For threads, which have connections of their own.
    url: directUrl ?? url,
    kysely: new Kysely<Tables>({ dialect: createDialect({ pool, onCommit: feed.changed }) }),
    get alive() {
      return !isClosed;
    },
    close: () => (closing ??= close()),
  };
}

/** Repeats a write that the server has undone because of another one. */
async function repeated(run: () => Promise<WriteResult>): Promise<WriteResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw storageError(error);
      await sleep(Math.random() * 2 ** attempt * 4);
    }
  }
}

async function transact(pool: Pool, statements: readonly Statement[]): Promise<WriteResult> {
  const [first] = statements;
  if (first && statements.length === 1) {
    const result = await pool.query(prepared(pool, first.sql, first.params));
    return isUnmet(first, result) ? { ok: false, failed: 0 } : { ok: true, rows: [rowsOf(result)] };
  }
  const connection = await pool.connect();
  let broken: Error | undefined;
  try {
    const settled = await Promise.allSettled([
      connection.query(prepared(pool, 'BEGIN ISOLATION LEVEL READ COMMITTED')),
      ...statements.map(({ sql, params }) => connection.query(prepared(pool, sql, params))),
    ]);
    const results: QueryArrayResult[] = [];
    for (const [index, outcome] of settled.entries()) {
      if (outcome.status === 'rejected') throw outcome.reason;
      const failed = index - 1;
      if (failed >= 0 && isUnmet(statements[failed]!, outcome.value)) {
        await connection.query('ROLLBACK');
        return { ok: false, failed };
      }
      results.push(outcome.value);
    }
    // After an error, the server answers COMMIT with ROLLBACK, which is no error of `pg`.
    const { command } = await connection.query('COMMIT');
    if (command !== 'COMMIT') throw new StorageError('away', 'the transaction was undone');
    return { ok: true, rows: results.slice(1).map(rowsOf) };
  } catch (error) {
    if (isBroken(error)) broken = error as Error;
    else await connection.query('ROLLBACK').catch((lost: Error) => (broken = lost));
    throw error;
  } finally {
    connection.release(broken);
  }
}

const isUnmet = ({ expect }: Statement, { rowCount }: QueryArrayResult) => expect === 'row' && !rowCount;

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely } from 'kysely';
import { openConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { lockFile } from './file-lock.ts';
import { createDialect } from './kysely-dialect.ts';
import { migrate } from './migrate.ts';
import type { QueryReply, QueryRequest } from './read.thread.ts';
import { StorageError } from './statement.ts';
import type { Statement, Value, WriteResult } from './statement.ts';
import type { Tables } from './tables.ts';
import { startThread } from './thread.ts';
import { createWriter } from './writer.ts';

export interface Database {
  /** A point read on the read-only connection: sees only what is on disk. Synchronous, a few microseconds. */
  get<R>(sql: string, ...params: Value[]): R | undefined;
  /** A bounded read (a chunk of a list), synchronous like `get`. */
  all<R>(sql: string, ...params: Value[]): R[];
  /** A read whose cost grows with the number of rows: runs in a thread of its own, off the event loop. */
  query<R>(sql: string, params?: Value[]): Promise<R[]>;
  /** One atomic write, committed together with whoever else waits; resolves when it is on disk. */
  write(statements: Statement[]): Promise<WriteResult>;
  /** For Better Auth: the same reader and the same writer behind Kysely. */
  kysely: Kysely<Tables>;
  readonly alive: boolean;
  close(): Promise<void>;
}

/**
 * Opens the database, takes it for this process, checks it and brings it up to date.
 * `url`: `file:/absolute/path.db`. `commitDelay`: milliseconds added to each commit, for measuring.
 * Throws StorageError with a sentence for the operator when the file is in use or damaged.
 */
export async function openDatabase({ url, commitDelay = 0 }: { url: string; commitDelay?: number }): Promise<Database> {
  const path = fileURLToPath(url);
  mkdirSync(dirname(path), { recursive: true });
  const lock = lockFile(path);
  try {
    await prepareFile(path);
  } catch (error) {
    lock.release();
    throw error;
  }
  const reader = openConnection({ path, readOnly: true });
  const writer = createWriter({ path, commitDelay });
  const queries = startThread<QueryRequest, QueryReply>(new URL('./read.thread.ts', import.meta.url), { path });

  return {
    get: <R>(sql: string, ...params: Value[]) => reader.get(sql, params) as R | undefined,
    all: <R>(sql: string, ...params: Value[]) => reader.all(sql, params) as R[],
    async query<R>(sql: string, params: Value[] = []) {
      const reply = await queries.ask({ sql, params });
      if ('fault' in reply) throw new StorageError(reply.fault, reply.message);
      return reply.rows as R[];
    },
    write: (statements) => writer.write(statements),
    kysely: new Kysely<Tables>({ dialect: createDialect({ reader, writer }) }),
    get alive() {
      return writer.alive && queries.alive;
    },
    async close() {
      await writer.close();
      await queries.stop();
      reader.close();
      lock.release();
    },
  };
}

async function prepareFile(path: string) {
  let connection: Connection | undefined;
  try {
    connection = openConnection({ path, readOnly: false });
    checkWhole(connection, path);
    await migrate({ connection });
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError('away', `${path} cannot be used as the database: ${(error as Error).message}`);
  } finally {
    connection?.close();
  }
}

function checkWhole(connection: Connection, path: string) {
  const found = connection.get('PRAGMA quick_check(1)', []) as { quick_check: string };
  if (found.quick_check !== 'ok') {
    throw new StorageError(
      'away',
      `${path} is damaged (${found.quick_check}); restore it from a backup. Nothing was changed`,
    );
  }
}

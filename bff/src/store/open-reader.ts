import { fileURLToPath } from 'node:url';
import type { Database } from './database.ts';
import { openReader as openSqliteReader } from './sqlite/reader.ts';
import { StorageError } from './statement.ts';
import type { Query } from './statement.ts';

/** Reads of a thread with a connection of its own. They see every write that was acknowledged before the call. */
export interface AsyncReader {
  /** Rows as objects. Throws StorageError. */
  read: Database['read'];
  /** Rows as arrays, in the order of the columns: half the work and memory of `read`. Throws StorageError. */
  tuples<R>(query: Query): Promise<R[]>;
  close(): Promise<void>;
}

/**
 * Opens a reader of the store at `url` (`Database.url`). `cacheKiB`: the size of SQLite's page cache.
 *
 * Another store is another scheme here, whose module is imported only when it is needed, for example
 * `await import('./postgres/open-reader.ts')` with `openReader(options: { url: string }): Promise<AsyncReader>`.
 */
export async function openReader({ url, cacheKiB }: { url: string; cacheKiB?: number }): Promise<AsyncReader> {
  const { protocol } = new URL(url);
  if (protocol !== 'file:') throw new StorageError('unexpected', `There is no store for ${protocol} URLs`);
  const { all, tuples, close } = openSqliteReader(fileURLToPath(url), cacheKiB);
  return {
    read: async <R>({ sql, params = [] }: Query) => all(sql, params) as R[],
    tuples: async <R>({ sql, params = [] }: Query) => tuples(sql, params) as R[],
    close: async () => close(),
  };
}

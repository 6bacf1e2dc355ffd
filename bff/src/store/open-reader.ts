import { fileURLToPath } from 'node:url';
import type { AsyncReader } from './database.ts';
import { openReader as openSqliteReader } from './sqlite/connection.ts';
import type { Query } from './statement.ts';

/** Opens a reader of the store at `url` (`Database.url`). `cacheKiB`: the size of SQLite's page cache. */
export async function openReader({ url, cacheKiB }: { url: string; cacheKiB?: number }): Promise<AsyncReader> {
  if (!url.startsWith('file:')) return (await import('./postgres/open-reader.ts')).openReader({ url });
  const { all, tuples, close } = openSqliteReader(fileURLToPath(url), cacheKiB);
  return {
    read: async <R>({ sql, params = [] }: Query) => all(sql, params) as R[],
    tuples: async <R>({ sql, params = [] }: Query) => tuples(sql, params) as R[],
    publishChanges: async () => {},
    close: async () => close(),
  };
}

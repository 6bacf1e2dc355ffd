import { fileURLToPath } from 'node:url';
import type { AsyncReader } from './database.ts';
import { openReader as openSqliteReader } from './sqlite/connection.ts';

/** Opens a reader of the store at `url` (`Database.url`). `cacheKiB`: the size of SQLite's page cache. */
export async function openReader({ url, cacheKiB }: { url: string; cacheKiB?: number }): Promise<AsyncReader> {
  if (url.startsWith('file:')) return openSqliteReader({ path: fileURLToPath(url), cacheKiB });
  return (await import('./postgres/open-reader.ts')).openReader({ url });
}

/** Opens a store by its address: `file:///path.db` or `postgres://...`. Loads only the code of that store. */
import { fileURLToPath } from 'node:url';
import type { AsyncReader, Database } from './database.ts';
import { shaped } from './shape.ts';
import type { Query, StorageError } from './statement.ts';

const isSqlite = (url: string) => url.startsWith('file:');

/**
 * `directUrl`: see store/postgres/open-database.ts.
 * @throws StorageError with a sentence for the operator
 */
export async function openStore(options: {
  url: string;
  directUrl?: string | undefined;
  report?: (error: unknown) => void;
  onOutdated?: (error: StorageError) => void;
  /** For the sentence about a damaged SQLite file. */
  newestBackup?: string | undefined;
}): Promise<Database> {
  const { openDatabase } = isSqlite(options.url)
    ? await import('./sqlite/open-database.ts')
    : await import('./postgres/open-database.ts');
  return openDatabase(options);
}

/** Opens a reader for a thread of its own. `url`: of the opened store. `cacheKiB`: the size of SQLite's page cache. */
export async function openReader({ url, cacheKiB }: { url: string; cacheKiB?: number }): Promise<AsyncReader> {
  const reader = isSqlite(url)
    ? (await import('./sqlite/connection.ts')).openReader({ path: fileURLToPath(url), cacheKiB })
    : (await import('./postgres/open-reader.ts')).openReader({ url });
  return {
    ...reader,
    async read<R>(query: Query): Promise<R[]> {
      const rows = await reader.read<R>(query);
      return query.shape ? ((await shaped(rows, query.shape)) as R[]) : rows;
    },
  };
}

import type { Database } from './database.ts';
import { openDatabase as openSqlite } from './sqlite/open-database.ts';

/**
 * Opens the store at this address: `file:///path.db` or `postgres://...`. The PostgreSQL client is loaded only if it is
 * used. `directUrl`: see store/postgres/open-database.ts.
 * @throws StorageError with a sentence for the operator
 */
export async function openStore(options: {
  url: string;
  directUrl?: string | undefined;
  report?: (error: unknown) => void;
  /** For the sentence about a damaged SQLite file. */
  newestBackup?: string | undefined;
}): Promise<Database> {
  if (options.url.startsWith('file:')) return openSqlite(options);
  const { openDatabase } = await import('./postgres/open-database.ts');
  return openDatabase(options);
}

import type { Database } from './database.ts';
import { openDatabase as openSqlite } from './sqlite/open-database.ts';

/**
 * Opens the store that the address is of: `file:///path.db` or `postgres://...`. Only those who use PostgreSQL load its
 * client. `directUrl`: see store/postgres/open-database.ts.
 * @throws StorageError with a sentence for the operator
 */
export async function openStore(options: {
  url: string;
  directUrl?: string | undefined;
  report?: (error: unknown) => void;
}): Promise<Database> {
  if (!isPostgres(options.url)) return openSqlite(options);
  const { openDatabase } = await import('./postgres/open-database.ts');
  return openDatabase(options);
}

const isPostgres = (url: string) => /^postgres(ql)?:/.test(url);

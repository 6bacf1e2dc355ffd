import type { Database } from '../../core/store/database.ts';

/** The time of a PostgreSQL server, in ms since 1970. SQLite has the clock of this process. */
export async function readServerClock(db: Database): Promise<number> {
  const [read] = await db.read<{ at: number }>({ sql: 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at' });
  return read!.at;
}

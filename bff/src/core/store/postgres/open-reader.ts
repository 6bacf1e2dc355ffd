import type { AsyncReader } from '../database.ts';
import type { Query } from '../statement.ts';
import { openPool, prepared, rowsOf } from './connection.ts';
import { storageError } from './fault.ts';

/** Long reads of one thread at once. */
const connections = 2;

export function openReader({ url }: { url: string }): AsyncReader {
  // The next read finds out that a connection is lost.
  const pool = openPool({ url, isPooled: false, onLost: () => {}, most: connections });
  const run = async ({ sql, params }: Query) => {
    try {
      return await pool.query(prepared(pool, sql, params));
    } catch (error) {
      throw storageError(error);
    }
  };
  return {
    read: async <R>(query: Query) => rowsOf(await run(query)) as R[],
    tuples: async <R>(query: Query) => (await run(query)).rows as R[],
    publishChanges: async () => void (await run({ sql: 'SELECT publish_feed()' })),
    close: () => pool.end(),
  };
}

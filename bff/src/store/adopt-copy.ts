import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/**
 * Brings a copy of a database into use. Clients have seen entries of the feed that the copy does not have: with a new name of
 * the feed, they fetch their lists again. Sessions that have ended since would be valid again, so all end.
 */
export async function adoptCopy({ db }: { db: Database }): Promise<void> {
  await db.write([
    { sql: 'UPDATE feed_name SET name = $1', params: [randomBytes(6).toString('hex')] },
    { sql: 'DELETE FROM session' },
  ]);
}

/** As migration 0013 of SQLite. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>) {
  await sql`ALTER TABLE swarms ADD COLUMN modified_at text COLLATE "C"`.execute(db);
}

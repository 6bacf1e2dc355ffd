/** As migration 0016 of SQLite. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `ALTER TABLE actions ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0`,
  `DROP TRIGGER activity_limit ON activity`,
  `CREATE TRIGGER activity_limit AFTER INSERT ON activity FOR EACH ROW WHEN (new.seq % 256 = 0)
     EXECUTE FUNCTION activity_limit()`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

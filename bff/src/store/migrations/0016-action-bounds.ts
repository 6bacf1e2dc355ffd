import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { limitForEach } from './0010-activity-bounds.ts';

const statements = [
  // Of the items of an action, and of what they replace.
  `ALTER TABLE actions ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0`,
  // Each time looks at 10,000 entries: for an action on many records, this was half of the time.
  `DROP TRIGGER activity_limit`,
  limitForEach(256),
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

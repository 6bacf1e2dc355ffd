import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Rows with the same key are in the order of their refs, as in the indexes of the screens. */
const keys = { creation: 'created_at', name: 'name_key', change: 'changed_at' };

export async function up(db: Kysely<unknown>) {
  for (const [name, key] of Object.entries(keys)) {
    await sql.raw(`DROP INDEX resources_by_${name}`).execute(db);
    await sql.raw(`CREATE INDEX resources_by_${name} ON resources (user_id, ${key}, ref)`).execute(db);
  }
}

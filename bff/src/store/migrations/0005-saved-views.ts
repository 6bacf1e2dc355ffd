import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Saved views. `url` is a path of the app, with its query. */
const statement = `CREATE TABLE saved_views (id TEXT NOT NULL PRIMARY KEY, user_id TEXT NOT NULL, name TEXT NOT NULL,
  name_folded TEXT NOT NULL, name_key TEXT NOT NULL, url TEXT NOT NULL, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, UNIQUE (user_id, name_folded))`;

export async function up(db: Kysely<unknown>) {
  await sql.raw(statement).execute(db);
}

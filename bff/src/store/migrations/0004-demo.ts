import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The demo objects of each user, so that exactly these can be deleted. */
const statement = `CREATE TABLE demo_records (user_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('partner', 'resource', 'swarm')), id TEXT NOT NULL,
  PRIMARY KEY (user_id, kind, id)) WITHOUT ROWID`;

export async function up(db: Kysely<unknown>) {
  await sql.raw(statement).execute(db);
}

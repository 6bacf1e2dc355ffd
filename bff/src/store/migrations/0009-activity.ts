import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // What happened to the devices, swarms and account of a user, and who did it. Names are copied, because the log outlives
  // what it names. `seq` counts the entries of one user.
  `CREATE TABLE activity (user_id TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
     actor TEXT NOT NULL, resource_id TEXT, resource_name TEXT, resource_owner TEXT, swarm_id TEXT, swarm_name TEXT,
     detail TEXT, PRIMARY KEY (user_id, seq)) WITHOUT ROWID`,
  `CREATE INDEX activity_by_age ON activity (at)`,
  // Bounds the log of each user.
  `CREATE TRIGGER activity_limit AFTER INSERT ON activity
     BEGIN DELETE FROM activity WHERE user_id = new.user_id AND seq <= new.seq - 10000; END`,
  // Entries up to `seq` are read.
  `CREATE TABLE activity_read (user_id TEXT NOT NULL PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

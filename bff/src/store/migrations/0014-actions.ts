import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const noted = (row: 'old' | 'new') =>
  `BEGIN INSERT INTO feed (kind, owner, record_id) VALUES ('action.changed', ${row}.user_id, ${row}.id); END`;

const statements = [
  // What a user does to many records, and the server executes. `wait`: seconds from the start of an upload's action until
  // it runs. `undoable`: items whose `before` was stored. `taken_by`: the process that executes it until `taken_until`.
  `CREATE TABLE actions (id TEXT NOT NULL PRIMARY KEY, user_id TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL,
     state TEXT NOT NULL, total INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
     undoable INTEGER NOT NULL DEFAULT 0, wait INTEGER NOT NULL, runs_at TEXT, created_at TEXT NOT NULL, ended_at TEXT,
     is_dismissed INTEGER NOT NULL DEFAULT 0, undone_by TEXT, taken_by TEXT NOT NULL DEFAULT '',
     taken_until TEXT NOT NULL DEFAULT '')`,
  `CREATE INDEX actions_due ON actions (state, runs_at)`,
  `CREATE INDEX actions_by_user ON actions (user_id, ended_at, id)`,
  // 100 items in a JSON array, and what they replace. `results`: the problems by the index of the item, as JSON; null
  // until the items were executed.
  `CREATE TABLE action_parts (action_id TEXT NOT NULL REFERENCES actions ON DELETE CASCADE, part INTEGER NOT NULL,
     items TEXT NOT NULL, before TEXT, results TEXT, PRIMARY KEY (action_id, part))`,
  `CREATE TRIGGER feed_action_started AFTER INSERT ON actions ${noted('new')}`,
  `CREATE TRIGGER feed_action_changed AFTER UPDATE OF state, total, done, runs_at, is_dismissed, undone_by ON actions
     ${noted('new')}`,
  `CREATE TRIGGER feed_action_deleted AFTER DELETE ON actions ${noted('old')}`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

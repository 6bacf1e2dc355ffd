/** As migration 0014 of SQLite. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const text = 'text COLLATE "C"';
const noted = (name: string, when: string, row: 'old' | 'new') => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO feed_pending (kind, owner, record_id) VALUES ('action.changed', ${row}.user_id, ${row}.id);
     RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${when} ON actions FOR EACH ROW EXECUTE FUNCTION ${name}()`,
];

const statements = [
  `CREATE TABLE actions (id ${text} PRIMARY KEY, user_id ${text} NOT NULL, kind text NOT NULL, about text NOT NULL,
     state text NOT NULL, total integer NOT NULL, done integer NOT NULL DEFAULT 0, failed integer NOT NULL DEFAULT 0,
     undoable integer NOT NULL DEFAULT 0, wait integer NOT NULL, runs_at ${text}, created_at ${text} NOT NULL,
     ended_at ${text}, is_dismissed integer NOT NULL DEFAULT 0, undone_by text, taken_by text NOT NULL DEFAULT '',
     taken_until ${text} NOT NULL DEFAULT '')`,
  `CREATE INDEX actions_due ON actions (state, runs_at)`,
  `CREATE INDEX actions_by_user ON actions (user_id, ended_at, id)`,
  `CREATE TABLE action_parts (action_id ${text} NOT NULL REFERENCES actions ON DELETE CASCADE, part integer NOT NULL,
     items text NOT NULL, before text, results text, PRIMARY KEY (action_id, part))`,
  ...noted('feed_action_started', 'INSERT', 'new'),
  ...noted('feed_action_changed', 'UPDATE OF state, total, done, runs_at, is_dismissed, undone_by', 'new'),
  ...noted('feed_action_deleted', 'DELETE', 'old'),
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const count = (kind: string, row: 'old' | 'new', change: '+' | '-', owner = 'user_id') =>
  change === '+'
    ? `INSERT INTO usage VALUES (${row}."${owner}", '${kind}', 1) ON CONFLICT DO UPDATE SET amount = amount + 1;`
    : `UPDATE usage SET amount = amount - 1 WHERE user_id = ${row}."${owner}" AND kind = '${kind}';`;

/** Counts the rows of a table by their `user_id`. */
const countRows = (table: string) => [
  `INSERT INTO usage SELECT user_id, '${table}', count(*) FROM ${table} GROUP BY user_id`,
  `CREATE TRIGGER usage_${table}_more AFTER INSERT ON ${table} BEGIN ${count(table, 'new', '+')} END`,
  `CREATE TRIGGER usage_${table}_less AFTER DELETE ON ${table} BEGIN ${count(table, 'old', '-')} END`,
];

const statements = [
  // What each user has of what is limited, counted by triggers: counting 100,000 rows for each insert is too slow.
  // `invitations` are the open ones that the user has sent.
  `CREATE TABLE usage (user_id TEXT NOT NULL, kind TEXT NOT NULL, amount INTEGER NOT NULL,
     PRIMARY KEY (user_id, kind)) WITHOUT ROWID`,
  ...countRows('resources'),
  ...countRows('swarms'),
  // A swarm that is being destroyed has no owner.
  `CREATE TRIGGER usage_swarms_owner AFTER UPDATE OF user_id ON swarms
     BEGIN ${count('swarms', 'old', '-')} ${count('swarms', 'new', '+')} END`,
  ...countRows('idempotency'),
  `INSERT INTO usage SELECT "from", 'invitations', count(*) FROM invitations WHERE status = 'new' GROUP BY 1`,
  `CREATE TRIGGER usage_invitations_sent AFTER INSERT ON invitations WHEN new.status = 'new'
     BEGIN ${count('invitations', 'new', '+', 'from')} END`,
  `CREATE TRIGGER usage_invitations_answered AFTER UPDATE OF status ON invitations
     WHEN old.status = 'new' AND new.status <> 'new' BEGIN ${count('invitations', 'old', '-', 'from')} END`,
  `CREATE TRIGGER usage_invitations_withdrawn AFTER DELETE ON invitations WHEN old.status = 'new'
     BEGIN ${count('invitations', 'old', '-', 'from')} END`,

  `CREATE TABLE swarm_sizes (swarm_id TEXT NOT NULL PRIMARY KEY REFERENCES swarms (id) ON DELETE CASCADE,
     members INTEGER NOT NULL) WITHOUT ROWID`,
  `INSERT INTO swarm_sizes SELECT swarm_id, count(*) FROM memberships GROUP BY swarm_id`,
  `CREATE TRIGGER swarm_sizes_join AFTER INSERT ON memberships BEGIN
     INSERT INTO swarm_sizes VALUES (new.swarm_id, 1) ON CONFLICT DO UPDATE SET members = members + 1; END`,
  `CREATE TRIGGER swarm_sizes_leave AFTER DELETE ON memberships BEGIN
     UPDATE swarm_sizes SET members = members - 1 WHERE swarm_id = old.swarm_id; END`,

  // The limit and the age of idempotency keys are both of one user.
  `DROP INDEX idempotency_by_age`,
  `CREATE INDEX idempotency_by_user ON idempotency (user_id, created_at)`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The sort order of inbox, outbox and board. The entries are short, because each response moves one in each index.
  `ALTER TABLE invitations ADD COLUMN changed_at TEXT
     GENERATED ALWAYS AS (coalesce(accepted_at, rejected_at, sent_at)) VIRTUAL`,
  `CREATE INDEX invitations_inbox ON invitations ("to", status, changed_at)`,
  `CREATE INDEX invitations_outbox ON invitations ("from", status, changed_at)`,
  `CREATE INDEX invitations_board ON invitations (swarm_id, status, changed_at)`,

  // The number of members of each swarm by owner, machine type and role. Triggers maintain it, so that the cost of a
  // page of swarms does not depend on the number of members.
  `CREATE TABLE member_tallies (swarm_id TEXT NOT NULL REFERENCES swarms (id) ON DELETE CASCADE,
     user_id TEXT NOT NULL, machine_type TEXT NOT NULL, resource_type TEXT NOT NULL, resources INTEGER NOT NULL,
     PRIMARY KEY (swarm_id, user_id, machine_type, resource_type)) WITHOUT ROWID`,
  `INSERT INTO member_tallies SELECT m.swarm_id, r.user_id, r.machine_type, m.resource_type, count(*)
     FROM memberships m JOIN resources r ON r.id = m.resource_id GROUP BY 1, 2, 3, 4`,
  `CREATE TRIGGER member_tallies_join AFTER INSERT ON memberships BEGIN ${counted('new', '+')} END`,
  `CREATE TRIGGER member_tallies_role AFTER UPDATE OF resource_type ON memberships
     WHEN new.resource_type <> old.resource_type BEGIN ${counted('old', '-')} ${counted('new', '+')} END`,
  `CREATE TRIGGER member_tallies_leave BEFORE DELETE ON memberships BEGIN ${counted('old', '-')} END`,
  `CREATE TRIGGER member_tallies_type AFTER UPDATE OF machine_type ON resources
     WHEN new.machine_type <> old.machine_type BEGIN ${ofResource('old', '-')} ${ofResource('new', '+')} END`,
];

function counted(row: 'old' | 'new', sign: '+' | '-'): string {
  const key = `SELECT ${row}.swarm_id, user_id, machine_type, ${row}.resource_type`;
  return tallied({ key, from: `FROM resources WHERE id = ${row}.resource_id`, sign, swarm: `= ${row}.swarm_id` });
}

function ofResource(row: 'old' | 'new', sign: '+' | '-'): string {
  const key = `SELECT swarm_id, ${row}.user_id, ${row}.machine_type, resource_type`;
  const swarms = `IN (SELECT swarm_id FROM memberships WHERE resource_id = ${row}.id)`;
  return tallied({ key, from: `FROM memberships WHERE resource_id = ${row}.id`, sign, swarm: swarms });
}

/** Deletes rows with a count of 0. While a swarm is deleted, its rows may already be missing. */
function tallied({ key, from, sign, swarm }: Record<'key' | 'from' | 'swarm', string> & { sign: '+' | '-' }): string {
  if (sign === '+')
    return `INSERT INTO member_tallies ${key}, 1 ${from} ON CONFLICT DO UPDATE SET resources = resources + 1;`;
  return `UPDATE member_tallies SET resources = resources - 1
      WHERE (swarm_id, user_id, machine_type, resource_type) IN (${key} ${from});
    DELETE FROM member_tallies WHERE swarm_id ${swarm} AND resources = 0;`;
}

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

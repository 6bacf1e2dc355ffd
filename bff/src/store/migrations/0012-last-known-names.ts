import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The swarm's name when the recipient could see the swarm for the last time because of this invitation.
  `ALTER TABLE invitations ADD COLUMN last_known_name TEXT`,
  `UPDATE invitations SET last_known_name = (SELECT name FROM swarms WHERE id = swarm_id)
     WHERE status = 'rejected' OR (status = 'accepted' AND NOT EXISTS (SELECT 1 FROM memberships m
       WHERE m.swarm_id = invitations.swarm_id AND m.resource_id = invitations.resource_id))`,
  // Whether a user is invited to a swarm.
  `CREATE INDEX invitations_open_to ON invitations ("to", swarm_id) WHERE status = 'new'`,
  `CREATE TRIGGER last_known_name_rejected AFTER UPDATE OF status ON invitations WHEN new.status = 'rejected' BEGIN
     UPDATE invitations SET last_known_name = (SELECT name FROM swarms WHERE id = new.swarm_id) WHERE id = new.id;
   END`,
  // The invitations of a swarm that is being destroyed are destroyed too.
  `CREATE TRIGGER last_known_name_left AFTER DELETE ON memberships
     WHEN EXISTS (SELECT 1 FROM swarms WHERE id = old.swarm_id AND user_id <> '') BEGIN
     UPDATE invitations SET last_known_name = (SELECT name FROM swarms WHERE id = old.swarm_id)
       WHERE resource_id = old.resource_id AND swarm_id = old.swarm_id AND status = 'accepted';
   END`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

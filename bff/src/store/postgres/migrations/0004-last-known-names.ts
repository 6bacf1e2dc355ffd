/** As migration 0012 of SQLite. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `ALTER TABLE invitations ADD COLUMN last_known_name text COLLATE "C"`,
  `UPDATE invitations SET last_known_name = (SELECT name FROM swarms WHERE id = swarm_id)
     WHERE status = 'rejected' OR (status = 'accepted' AND NOT EXISTS (SELECT 1 FROM memberships m
       WHERE m.swarm_id = invitations.swarm_id AND m.resource_id = invitations.resource_id))`,
  `CREATE INDEX invitations_open_to ON invitations ("to", swarm_id) WHERE status = 'new'`,
  `CREATE FUNCTION last_known_name_rejected() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     new.last_known_name = (SELECT name FROM swarms WHERE id = new.swarm_id); RETURN new; END $$`,
  `CREATE TRIGGER last_known_name_rejected BEFORE UPDATE OF status ON invitations
     FOR EACH ROW WHEN (new.status = 'rejected') EXECUTE FUNCTION last_known_name_rejected()`,
  // The invitations of a swarm that is being destroyed are destroyed too.
  `CREATE FUNCTION last_known_name_left() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE invitations i SET last_known_name = s.name FROM swarms s
       WHERE s.id = old.swarm_id AND s.user_id <> ''
         AND i.resource_id = old.resource_id AND i.swarm_id = old.swarm_id AND i.status = 'accepted';
     RETURN NULL; END $$`,
  `CREATE TRIGGER last_known_name_left AFTER DELETE ON memberships
     FOR EACH ROW EXECUTE FUNCTION last_known_name_left()`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

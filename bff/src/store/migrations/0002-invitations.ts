import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `CREATE TABLE invitations (id TEXT NOT NULL PRIMARY KEY, "from" TEXT NOT NULL, "to" TEXT NOT NULL,
     swarm_id TEXT NOT NULL REFERENCES swarms (id) ON DELETE CASCADE, resource_id TEXT NOT NULL,
     resource_type TEXT NOT NULL CHECK (resource_type IN ('consumer', 'producer')), description TEXT,
     sent_at TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('new', 'accepted', 'rejected')),
     accepted_at TEXT, rejected_at TEXT, created_at TEXT NOT NULL,
     CHECK ((status = 'accepted') = (accepted_at IS NOT NULL)),
     CHECK ((status = 'rejected') = (rejected_at IS NOT NULL)))`,
  // one open invitation for a resource, swarm and role: sending again finds it
  `CREATE UNIQUE INDEX invitations_open ON invitations (swarm_id, resource_id, resource_type) WHERE status = 'new'`,
  `CREATE INDEX invitations_sent ON invitations (swarm_id, created_at, id)`,
  `CREATE INDEX invitations_received ON invitations ("to", created_at, id)`,
  `CREATE INDEX invitations_of_resource ON invitations (resource_id, created_at, id)`,
  `CREATE INDEX memberships_by_age ON memberships (swarm_id, member_since, resource_id)`,

  // Who may see a swarm's members: its owner and the owners of its members. Triggers maintain it, so that the cost of
  // a query depends on the number of viewers, not of members.
  `CREATE TABLE swarm_viewers (swarm_id TEXT NOT NULL REFERENCES swarms (id) ON DELETE CASCADE,
     user_id TEXT NOT NULL, resources INTEGER NOT NULL, PRIMARY KEY (swarm_id, user_id)) WITHOUT ROWID`,
  `CREATE INDEX swarm_viewers_by_user ON swarm_viewers (user_id, swarm_id)`,
  `INSERT INTO swarm_viewers SELECT id, user_id, 0 FROM swarms`,
  `INSERT INTO swarm_viewers SELECT m.swarm_id, r.user_id, count(*) FROM memberships m
     JOIN resources r ON r.id = m.resource_id GROUP BY 1, 2
     ON CONFLICT DO UPDATE SET resources = excluded.resources`,
  `CREATE TRIGGER swarm_viewers_owner AFTER INSERT ON swarms
     BEGIN INSERT INTO swarm_viewers VALUES (new.id, new.user_id, 0); END`,
  `CREATE TRIGGER swarm_viewers_join AFTER INSERT ON memberships BEGIN
     INSERT INTO swarm_viewers SELECT new.swarm_id, user_id, 1 FROM resources WHERE id = new.resource_id
       ON CONFLICT DO UPDATE SET resources = resources + 1;
   END`,
  // the resource may be gone by the time its memberships go, so its owner is looked up before
  `CREATE TRIGGER memberships_end BEFORE DELETE ON resources
     BEGIN DELETE FROM memberships WHERE resource_id = old.id; END`,
  `CREATE TRIGGER swarm_viewers_leave BEFORE DELETE ON memberships BEGIN
     UPDATE swarm_viewers SET resources = resources - 1 WHERE swarm_id = old.swarm_id
       AND user_id = (SELECT user_id FROM resources WHERE id = old.resource_id);
     DELETE FROM swarm_viewers WHERE swarm_id = old.swarm_id AND resources = 0
       AND user_id <> (SELECT user_id FROM swarms WHERE id = old.swarm_id);
   END`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Finds the older answers for the same swarm, resource and role. */
const statement = `CREATE INDEX invitations_answered
  ON invitations (swarm_id, resource_id, resource_type, changed_at, id) WHERE status <> 'new'`;

export async function up(db: Kysely<unknown>) {
  await sql.raw(statement).execute(db);
}

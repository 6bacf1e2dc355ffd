import type { EventType } from '../contract.ts';
import type { Statement } from '../storage/statement.ts';

/** Something that happened, told after its commit to those who may see the record. */
export interface News {
  type: EventType;
  /** User names; the same one may come twice. */
  to: readonly string[];
  /** The record as JSON, as the endpoints give it; ids only where something ended. */
  data: string;
  /** The resource whose state this tells. */
  about?: string;
  /** A newer one about the same resource makes this one needless: the positions of a moving device. */
  coalesce?: boolean;
}
export type Publish = (news: readonly News[]) => void;

// These go into the write itself: who may see a record is asked in the transaction that changes it.

/** Who may see a resource besides its owner. */
export function viewersOfResource(id: string): Statement {
  const sql = `SELECT DISTINCT v.user_id FROM memberships m JOIN swarm_viewers v ON v.swarm_id = m.swarm_id
               WHERE m.resource_id = ?`;
  return { sql, params: [id] };
}

/** Who may see a swarm's members. */
export function viewersOfSwarm(id: string): Statement {
  return { sql: 'SELECT user_id FROM swarm_viewers WHERE swarm_id = ?', params: [id] };
}

/** Who may see that a swarm is there, without its members: whoever was invited and has nothing in it. */
export function invitedToSwarm(id: string): Statement {
  const sql = `SELECT DISTINCT "to" AS user_id FROM invitations WHERE swarm_id = ?1
               AND "to" NOT IN (SELECT user_id FROM swarm_viewers WHERE swarm_id = ?1)`;
  return { sql, params: [id] };
}

export function userNames(rows: readonly object[] | undefined): string[] {
  return (rows ?? []).map((row) => (row as { user_id: string }).user_id);
}

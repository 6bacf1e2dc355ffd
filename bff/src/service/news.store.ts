import type { EventType } from '../contract.ts';
import { firstRow } from '../storage/statement.ts';
import type { Row, Statement } from '../storage/statement.ts';

/** Something that happened, told after its commit to those who may see the record. */
export interface News {
  type: EventType;
  /** User names, beside those of `seenIn`. */
  to: readonly string[];
  /** Who may see it because they may see a swarm's members: JSON, `{"<swarm>": ["<user>", ...]}`. */
  seenIn?: string;
  /** The record as JSON, as the endpoints give it; ids only where something ended. */
  data: string;
  /** The resource whose state this tells: what is older about it is not told any more. */
  about?: string;
  /** Whose list of resources it changes. */
  owner?: string;
  /** A newer one about the same resource makes this one needless: the positions of a moving device. */
  coalesce?: boolean;
}
export type Publish = (news: readonly News[]) => void;

// These go into the write itself: who may see a record is asked in the transaction that changes it. The names come
// as one text: a thousand of them as rows would cost more than all the rest of an update.

/** Who may see a resource besides its owner, who is among them where there are any. */
export function viewersOfResource(id: string): Statement {
  const users = 'SELECT json_group_array(user_id) FROM swarm_viewers v WHERE v.swarm_id = m.swarm_id';
  const sql = `SELECT json_group_object(m.swarm_id, json((${users}))) AS seen_in
               FROM memberships m WHERE m.resource_id = ?`;
  return { sql, params: [id] };
}

/** Who may see a swarm's members. */
export function viewersOfSwarm(id: string): Statement {
  const sql = 'SELECT json_object(?1, json_group_array(user_id)) AS seen_in FROM swarm_viewers WHERE swarm_id = ?1';
  return { sql, params: [id] };
}

/** Who may see that a swarm is there, without its members: whoever was invited and has nothing in it. */
export function invitedToSwarm(id: string): Statement {
  const sql = `SELECT DISTINCT "to" AS user_id FROM invitations WHERE swarm_id = ?1
               AND "to" NOT IN (SELECT user_id FROM swarm_viewers WHERE swarm_id = ?1)`;
  return { sql, params: [id] };
}

/** The audience that `viewersOfResource` or `viewersOfSwarm` found. */
export function seenBy(rows: readonly Row[] | undefined): Required<Pick<News, 'seenIn'>> {
  return { seenIn: firstRow<{ seen_in: string }>(rows).seen_in };
}

/** Of news about a resource. */
export function audienceOfResource(owner: string, viewers: readonly Row[] | undefined) {
  const { seenIn } = seenBy(viewers);
  return { owner, to: seenIn === '{}' ? [owner] : [], seenIn };
}

export function userNames(rows: readonly Row[] | undefined): string[] {
  return (rows ?? []).map((row) => (row as { user_id: string }).user_id);
}

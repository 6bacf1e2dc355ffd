import { raw, sql, type Sql, type Statement } from '../store/statement.ts';
import { isOpen, roleOf, seesMembers } from '../store/visibility.ts';
import { policy, verdictOf, type OperationOn } from './policy.ts';
import type { SwarmRelation, SwarmRule } from './rules.ts';

const ofCaller = { user: raw('$2'), swarm: raw('s.id') };
/** SQL: the relation of the user $2 to the swarm `s`. */
export const relationToSwarm = `CASE
  WHEN s.user_id = $2 THEN 'owner'
  ELSE coalesce(${roleOf(ofCaller).sql}, CASE
    WHEN ${seesMembers(ofCaller).sql} THEN 'member'
    WHEN EXISTS (SELECT 1 FROM invitations WHERE swarm_id = s.id AND "to" = $2 AND status = 'new')
      OR EXISTS (SELECT 1 FROM managers asked WHERE swarm_id = s.id AND user_id = $2 AND ${isOpen('asked')}) THEN 'recipient'
    WHEN s.public = 1 THEN 'public'
    ELSE 'stranger' END) END`;

interface SwarmCheck {
  operation: OperationOn<SwarmRule>;
  swarmId: string;
  userId: string;
  /** The user whose record it is about, if the policy asks whether it is the caller's. */
  about?: string;
}

/**
 * Rejects a write if the user may not execute the operation any more, by the same row of the policy that the request was
 * checked with. It comes after a statement that locks the swarm, so that a manager who was removed writes nothing more.
 */
export function mayStill({ operation, swarmId, userId, about }: SwarmCheck): Statement<'not allowed'> {
  const rule: SwarmRule = policy[operation].rule;
  const relations = Object.keys(rule) as SwarmRelation[];
  const allowed = relations.filter((relation) => verdictOf({ rule, relation, isOwn: about === userId }) === 'allow');
  return {
    sql: `SELECT 1 FROM swarms s WHERE s.id = $1 AND ${relationToSwarm} IN (${allowed.map((name) => `'${name}'`).join()})`,
    params: [swarmId, userId],
    user: userId,
    orFail: 'not allowed',
  };
}

/** Fails the write if the user may not do it, and locks the swarm. */
export const lockIfAllowed = (check: SwarmCheck): Statement<'not allowed'>[] => [
  { sql: 'SELECT 1 FROM swarms WHERE id = $1 FOR UPDATE', params: [check.swarmId] },
  mayStill(check),
];

// The amounts are counted by triggers (store/schema/triggers/), because counting 100,000 rows for each write would cost more than the write.
// These statements come after the inserts of the same write: the count then includes them, its row is locked by the
// trigger, and sending an invitation again, which adds none, is never rejected.

/**
 * Rejects a write that leaves this user with more than `allowed`. A user who has never had any has no amount. `upcoming`: SQL of the
 * number that later writes of the same request add.
 */
export function withinQuota<Kind extends 'resources' | 'swarms' | 'invitations' | 'device_keys'>({
  userId,
  kind,
  allowed,
  upcoming,
}: {
  userId: string;
  kind: Kind;
  allowed: number;
  upcoming?: Sql | undefined;
}): Statement<`too many ${Kind}`> {
  const more = upcoming ? sql` + ${upcoming}` : sql``;
  return {
    ...sql`SELECT 1 WHERE coalesce((SELECT amount FROM usage WHERE user_id = ${userId} AND kind = ${kind}), 0)${more} <= ${allowed}`,
    orFail: `too many ${kind}`,
    once: 'last',
  };
}

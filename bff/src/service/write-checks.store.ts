import { raw, type Statement } from '../store/statement.ts';
import { isManager } from '../store/visibility.ts';
import { policy, type OperationOn, type SwarmRelation, type SwarmRule } from './policy.ts';

/** Whether the user $2 has this relation to a swarm. `member`: with the resource $3. */
const relations = {
  owner: 's.user_id = $2',
  manager: isManager({ user: raw('$2'), swarm: raw('s.id') }).sql,
  member: 'EXISTS (SELECT 1 FROM resources WHERE id = $3 AND user_id = $2)',
} satisfies Partial<Record<SwarmRelation, string>>;

/**
 * Rejects a write if the user may not execute the operation any more, by the same row of the policy that the request was
 * checked with. It comes after a statement that locks the swarm, so that a manager who was removed writes nothing more.
 * `resourceId`: the resource that the operation is about, if a member may execute it with an own one.
 */
export function mayStill(check: {
  operation: OperationOn<SwarmRule>;
  swarmId: string;
  userId: string;
  resourceId?: string;
}): Statement<'no manager'> {
  const { operation, swarmId, userId, resourceId } = check;
  const rule: SwarmRule = policy[operation];
  const candidates =
    resourceId === undefined ? (['owner', 'manager'] as const) : (['owner', 'manager', 'member'] as const);
  const allowed = candidates.filter((relation) => rule[relation] === 'allow').map((relation) => relations[relation]);
  return {
    sql: `SELECT 1 FROM swarms s WHERE s.id = $1 AND (${allowed.join(' OR ')})`,
    params: [swarmId, userId, ...(resourceId === undefined ? [] : [resourceId])],
    orFail: 'no manager',
  };
}

// The amounts are counted by triggers, because counting 100,000 rows for each write would cost more than the write.
// These statements come after the inserts of the same write: the count then includes them, its row is locked by the
// trigger, and sending an invitation again, which adds none, is never rejected.

/** Rejects a write that leaves this user with more than `allowed`. */
export function withinQuota<Kind extends 'resources' | 'swarms' | 'invitations' | 'device_keys'>(check: {
  userId: string;
  kind: Kind;
  allowed: number;
}): Statement<`too many ${Kind}`> {
  return {
    sql: 'SELECT 1 FROM usage WHERE user_id = $1 AND kind = $2 AND amount <= $3',
    params: [check.userId, check.kind, check.allowed],
    orFail: `too many ${check.kind}`,
    once: 'last',
  };
}

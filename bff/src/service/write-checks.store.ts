import { raw, type Statement } from '../store/statement.ts';
import { isManager } from '../store/visibility.ts';

const manages = `s.user_id = $2 OR ${isManager({ user: raw('$2'), swarm: raw('s.id') }).sql}`;

/**
 * Rejects a write if the user neither owns nor manages the swarm. It comes after a statement that locks the swarm, so that
 * a manager who was removed writes nothing more.
 */
export const managesSwarm = ({ swarmId, userId }: Record<'swarmId' | 'userId', string>): Statement<'no manager'> => ({
  sql: `SELECT 1 FROM swarms s WHERE s.id = $1 AND (${manages})`,
  params: [swarmId, userId],
  orFail: 'no manager',
});

/** The same, unless the resource is the user's. */
export const changesMember = (
  change: Record<'swarmId' | 'userId' | 'resourceId', string>,
): Statement<'no manager'> => ({
  sql: `SELECT 1 FROM swarms s WHERE s.id = $1
          AND (${manages} OR EXISTS (SELECT 1 FROM resources WHERE id = $3 AND user_id = $2))`,
  params: [change.swarmId, change.userId, change.resourceId],
  orFail: 'no manager',
});

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

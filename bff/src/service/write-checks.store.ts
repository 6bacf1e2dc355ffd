import type { Statement } from '../store/statement.ts';

/** Rejects a write if the user was deleted, and delays a deletion until the write is committed. */
export function userExists(userId: string): Statement<'no user'> {
  return {
    sql: 'SELECT 1 FROM "user" WHERE username = $1 FOR SHARE',
    params: [userId],
    orFail: 'no user',
    once: 'first',
  };
}

// The amounts are counted by triggers, because counting 100,000 rows for each write would cost more than the write.
// These statements come after the inserts of the same write: the count then includes them, its row is locked by the
// trigger, and sending an invitation again, which adds none, is never rejected.

/** Rejects a write that leaves this user with more than `allowed`. */
export function withinQuota<Kind extends 'resources' | 'swarms' | 'invitations'>(check: {
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

import type { Statement } from './statement.ts';

/** Rejects a write if the user was deleted, and delays a deletion until the write is committed. */
export function userExists(userName: string): Statement<'no user'> {
  return {
    sql: 'SELECT 1 FROM "user" WHERE username = $1 FOR SHARE',
    params: [userName],
    user: userName,
    orFail: 'no user',
    once: 'first',
  };
}

/**
 * Locks the user for a write that depends on what other writes change of the user: what the user has is counted, or the password
 * was verified. It comes before the statements that lock a swarm.
 */
export function lockUser(userName: string): Statement<'no user'> {
  return {
    sql: 'SELECT 1 FROM "user" WHERE username = $1 FOR UPDATE',
    params: [userName],
    user: userName,
    orFail: 'no user',
  };
}

import { sql, type Statement } from '../store/statement.ts';

/** Comes after the statement that takes a way to sign in from a user: it fails the write if that was the last one. */
export function hasWayIn(userName: string): Statement<'last way'> {
  return {
    ...sql`SELECT 1 FROM "user" u WHERE u.username = ${userName} AND (
        EXISTS (SELECT 1 FROM account a WHERE a."userId" = u.id AND a."providerId" = 'credential' AND a.password IS NOT NULL)
        OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.username))`,
    orFail: 'last way',
  };
}

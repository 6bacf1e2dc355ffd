import { join, sql, type Statement } from '../store/statement.ts';
import type { Way } from './ways.ts';

/** Comes after the statement that takes a way to sign in from a user: it fails the write if that was the last one. */
export type HasWayIn = (userName: string) => Statement<'last way'>;

/** SQL: whether the user `u` has a password. */
export const hasPassword = sql`EXISTS
  (SELECT 1 FROM account a WHERE a."userId" = u.id AND a."providerId" = 'credential' AND a.password IS NOT NULL)`;

/** `ways`: read when all are made. */
export const createHasWayIn =
  ({ ways }: { ways: readonly Pick<Way, 'isWayIn'>[] }): HasWayIn =>
  (userName) => {
    const accepted = ways.flatMap(({ isWayIn = [] }) => isWayIn);
    const anyWay = accepted.length > 0 ? join(accepted, ' OR ') : sql`false`;
    return {
      ...sql`SELECT 1 FROM "user" u WHERE u.username = ${userName} AND (${anyWay})`,
      orFail: 'last way',
    };
  };

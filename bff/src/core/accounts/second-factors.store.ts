/** Which users have a second factor, and which one a limited session (sessions.store.ts) may set up or remove. */
import { Problem } from '../problem.ts';
import type { Database } from '../store/database.ts';
import { hasAccount } from '../store/has-account.ts';
import { join, raw, sql, type Statement } from '../store/statement.ts';
import { sessionLives, type SecondFactorRule, type Session, type SessionLives } from './sessions.store.ts';
import type { Way } from './ways.ts';

/** At the end of the way of a session whose second factor was a recovery code. */
const byCode = '+code';

export type SecondFactors = ReturnType<typeof createSecondFactors>;

/** `ways`: read when all are made. A factor that this server cannot ask for is none. */
export function createSecondFactors({
  db,
  rule,
  ways,
}: {
  db: Database;
  rule: SecondFactorRule;
  ways: readonly Pick<Way, 'isFactor'>[];
}) {
  const hasOne = () => {
    const factors = ways.flatMap(({ isFactor = [] }) => isFactor);
    return factors.length > 0 ? sql`(${join(factors, ' OR ')})` : sql`false`;
  };
  const ofUser = (userName: string) => sql`SELECT 1 FROM "user" u WHERE u.username = ${userName}`;

  const has = async (userName: string): Promise<boolean> =>
    (await db.read(sql`${ofUser(userName)} AND ${hasOne()}`)).length > 0;

  return {
    has,

    /**
     * A session that is limited sets up the first factor of its user, never another one: it may be of somebody who knows only the
     * password. Such a user confirms with the factor that they have.
     * @throws Problem `second_factor.required`
     */
    async requireFirst({ userName, isLimited }: Pick<Session, 'userName' | 'isLimited'>): Promise<void> {
      if (isLimited && (await has(userName))) throw new Problem('second_factor.required');
    },

    /** Fails a write if the session has ended, or is limited and its user has a second factor. The user must be locked by the same write. */
    lives: ({ sessionId, userName, isLimited }: Pick<Session, 'sessionId' | 'userName' | 'isLimited'>): SessionLives =>
      isLimited
        ? {
            ...sql`SELECT 1 FROM session s JOIN "user" u ON u.id = s."userId"
              WHERE s.id = ${sessionId} AND u.username = ${userName} AND NOT ${hasOne()}`,
            orFail: 'session ended',
          }
        : sessionLives(sessionId),

    /**
     * Comes after the statement that removes a factor, where one is required: it fails the write if that was the last one. A session
     * that a recovery code has let in may remove the lost one. It is limited then, so that its user sets up another one.
     */
    removed({ userName, sessionId, way }: Pick<Session, 'userName' | 'sessionId' | 'way'>): Statement<'last factor'>[] {
      if (rule === 'optional') return [];
      const left = sql`${ofUser(userName)} AND ${hasOne()}`;
      if (!way.endsWith(byCode)) return [{ ...left, orFail: 'last factor' }];
      const first = way.slice(0, -byCode.length);
      return [sql`UPDATE session SET way = ${first} WHERE id = ${sessionId} AND NOT EXISTS (${left})`];
    },

    /** How many users who can sign in have no second factor, of how many. */
    async count(): Promise<{ rule: SecondFactorRule; users: number; without: number }> {
      const [found] = await db.read<{ users: number; without: number }>({
        ...sql`SELECT count(*) AS users, coalesce(sum(CASE WHEN ${hasOne()} THEN 0 ELSE 1 END), 0) AS without
          FROM "user" u WHERE ${raw(hasAccount)} AND u.disabled_at IS NULL`,
        isLong: true,
      });
      return { rule, users: found!.users, without: found!.without };
    },
  };
}

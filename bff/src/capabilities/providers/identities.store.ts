import type { Identity } from './contract.ts';
import type { Database } from '../../core/store/database.ts';
import { listOf, sql, type Statement } from '../../core/store/statement.ts';
import type { Identified } from './providers.ts';

/** A user of a provider. */
interface Subject {
  provider: string;
  subject: string;
}

/** SQL: whether the user `u` can sign in by one of these providers. */
export const hasIdentity = (providers: readonly string[]) => sql`EXISTS
  (SELECT 1 FROM identities i WHERE i.user_id = u.username AND i.provider IN (${listOf(providers)}))`;

export type Identities = ReturnType<typeof createIdentities>;

/** Which users of providers are which users here. It is never decided by an address or a name. */
export function createIdentities({ db, now }: { db: Database; now: () => Date }) {
  const ofUser = ({ provider, subject, userName }: Subject & { userName: string }) => sql`SELECT 1 FROM identities i
    JOIN "user" u ON u.username = i.user_id AND u.disabled_at IS NULL
    WHERE i.provider = ${provider} AND i.subject = ${subject} AND i.user_id = ${userName}`;

  return {
    /** Returns the user of an identity; undefined if it is linked to none. */
    async find({ provider, subject }: Subject): Promise<{ userName: string; isDisabled: boolean } | undefined> {
      const [found] = await db.read<{ user_id: string; disabled_at: string | null }>(
        sql`SELECT i.user_id, u.disabled_at FROM identities i JOIN "user" u ON u.username = i.user_id
          WHERE i.provider = ${provider} AND i.subject = ${subject}`,
      );
      return found && { userName: found.user_id, isDisabled: found.disabled_at !== null };
    },

    /** Fails a write if it is no longer this user's, or the user is disabled. */
    unchanged: (identity: Subject & { userName: string }): Statement<'unlinked'> => ({
      ...ofUser(identity),
      orFail: 'unlinked',
    }),

    /** Fails a write if it is somebody's already, or if the user has another identity of this provider. */
    link: ({ provider, subject, userName }: Subject & { userName: string }): Statement<'taken'> => ({
      ...sql`INSERT INTO identities (provider, subject, user_id, created_at)
        VALUES (${provider}, ${subject}, ${userName}, ${now().toISOString()}) ON CONFLICT DO NOTHING`,
      orFail: 'taken',
    }),

    async list(userName: string): Promise<Identity[]> {
      return db.read<Identity>(
        sql`SELECT provider, created_at FROM identities WHERE user_id = ${userName} ORDER BY provider`,
      );
    },

    /** What removes it, and the role that its provider has given. */
    unlink({ userName, provider }: { userName: string; provider: string }): Statement<'not linked'>[] {
      return [
        {
          ...sql`DELETE FROM identities WHERE user_id = ${userName} AND provider = ${provider}`,
          orFail: 'not linked',
        },
        sql`UPDATE "user" SET role = '', role_from = NULL WHERE username = ${userName} AND role_from = ${provider}`,
      ];
    },

    /** What makes or unmakes an operator. A role that the provider has not given stays. */
    roleStatements(options: { userName: string; provider: string } & Pick<Identified, 'isOperator'>): Statement[] {
      const { userName, provider, isOperator } = options;
      if (isOperator === true)
        return [
          sql`UPDATE "user" SET role = 'operator', role_from = ${provider} WHERE username = ${userName} AND role = ''`,
        ];
      // Also if the setting was removed.
      return [
        sql`UPDATE "user" SET role = '', role_from = NULL WHERE username = ${userName} AND role_from = ${provider}`,
      ];
    },

    /** Takes the roles away that providers have given who no longer give any. */
    async endRolesOfOthers(providers: readonly string[]): Promise<void> {
      const isOther = providers.length === 0 ? sql`true` : sql`role_from NOT IN (${listOf(providers)})`;
      const others = sql`role_from IS NOT NULL AND ${isOther}`;
      if ((await db.read(sql`SELECT 1 FROM "user" WHERE ${others} LIMIT 1`)).length === 0) return;
      await db.write([sql`UPDATE "user" SET role = '', role_from = NULL WHERE ${others}`]);
    },
  };
}

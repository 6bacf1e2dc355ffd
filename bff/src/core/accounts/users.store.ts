import { randomUUID } from 'node:crypto';
import { Problem } from '../problem.ts';
import type { Database } from '../store/database.ts';
import { ofUser } from '../store/of-user.ts';
import { sql, type Statement, StorageError } from '../store/statement.ts';
import { lockUser } from '../store/user-locks.ts';
import type { PasswordHash } from './password-hash.ts';

const selectHash = `SELECT a.password FROM account a JOIN "user" u ON u.id = a."userId"
  WHERE u.username = $1 AND a."providerId" = 'credential' AND u.disabled_at IS NULL`;

/** Fails a write if the password that was verified has been changed since. */
type PasswordUnchanged = Statement<'password changed'>;

export type Users = ReturnType<typeof createUsers>;

/** Users and their passwords. */
export function createUsers({ passwords, db, now }: { passwords: PasswordHash; db: Database; now: () => Date }) {
  /**
   * The stored hash of a user's password, empty if the user has none yet; undefined for a disabled user, and for one who cannot have
   * one. It changes with each change of the password, also to the same one.
   */
  async function passwordHash(userName: string): Promise<string | undefined> {
    const [account] = await db.read<{ password: string | null }>({ sql: selectHash, params: [userName] });
    return account && (account.password ?? '');
  }

  /** `hash`: empty if the user has no password yet. */
  const unchanged = ({ userName, hash }: { userName: string; hash: string }): PasswordUnchanged => {
    const sql = `${selectHash} AND coalesce(a.password, '') = $2`;
    return { sql, params: [userName, hash], orFail: 'password changed' };
  };

  return {
    passwordHash,
    unchanged,

    async exists(userName: string): Promise<boolean> {
      return (await db.read({ sql: 'SELECT 1 FROM "user" WHERE username = $1', params: [userName] })).length > 0;
    },

    /** Statements that create a user with a password. The caller has checked name and password. */
    async creation(options: { userName: string; password: string; requestedBy: string }): Promise<Statement[]> {
      const { userName, password, requestedBy } = options;
      const at = now();
      const id = randomUUID();
      const hash = await passwords.hash({ password, requestedBy });
      return [addUserWithoutPassword({ id, userName, at }), account({ id, hash, at })];
    },

    /** Statements that create a user who signs in by a provider. The password can be set, by a recovery code or the operator. */
    creationByProvider(userName: string): Statement[] {
      const at = now();
      const id = randomUUID();
      return [addUserWithoutPassword({ id, userName, at }), account({ id, hash: null, at })];
    },

    /**
     * Returns undefined for a wrong password and for an unknown or disabled user, in the same time. Otherwise returns the hash and a
     * statement that fails if the password has been changed since, because the verification takes long.
     */
    async verifyPassword(options: { userName: string; password: string; requestedBy: string }) {
      const { userName, password, requestedBy } = options;
      const hash = await passwordHash(userName);
      if (!hash) await passwords.hash({ password, requestedBy });
      if (!hash || !(await passwords.verify({ hash, password, requestedBy }))) return undefined;
      return { hash, unchanged: unchanged({ userName, hash }) };
    },

    /**
     * Sets a password and ends the user's sessions except `keep`, in one write. Returns false if there is no such user, or
     * if a precondition no longer holds, which may be that a recovery code is used up.
     */
    async setPassword(options: {
      userName: string;
      password: string;
      keep: 'all' | 'none' | { sessionId: string };
      preconditions?: readonly Statement<string>[];
    }): Promise<boolean> {
      const { userName, password, keep, preconditions = [] } = options;
      const hash = await passwords.hash({ password, requestedBy: userName });
      const keptId = typeof keep === 'object' ? keep.sessionId : '';
      const change: Statement<'no user'> = {
        ...sql`UPDATE account SET password = ${hash}, "updatedAt" = ${now().toISOString()}
          WHERE "providerId" = 'credential' AND ${ofUser(userName)}`,
        orFail: 'no user',
      };
      const endOtherSessions = sql`DELETE FROM session WHERE id <> ${keptId} AND ${ofUser(userName)}`;
      return (
        await db.write([lockUser(userName), ...preconditions, change, ...(keep === 'all' ? [] : [endOtherSessions])])
      ).ok;
    },
  };
}

/** `hash`: of the password; null for a user who has none yet. */
const account = ({ id, hash, at }: { id: string; hash: string | null; at: Date }): Statement => ({
  sql: `INSERT INTO account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
        VALUES ($1, $2, 'credential', $2, $3, $4, $4)`,
  params: [randomUUID(), id, hash, at.toISOString()],
});

/** Of a write that creates a user. Its only value that may conflict is the name: a user has or had it. */
export const isNameTaken = (error: unknown): boolean => error instanceof StorageError && error.kind === 'constraint';

/** @throws Problem `sign_up.name_taken` */
export function throwNameTaken(error: unknown): never {
  throw isNameTaken(error) ? new Problem('sign_up.name_taken', { cause: error }) : error;
}

/** Adds a user who cannot sign in, and whose password cannot be set. */
export function addUserWithoutPassword(user: { id: string; userName: string; at: Date }): Statement {
  return {
    sql: `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username)
          VALUES ($1, $2, $1 || '@people.invalid', 0, $3, $3, $2)`,
    params: [user.id, user.userName, user.at.toISOString()],
  };
}

/** Retires the name only if an invitation still has it. */
export function removeUserWithoutPassword(userName: string): Statement[] {
  const ofUser = (sql: string): Statement => ({ sql, params: [userName] });
  return [
    ofUser('DELETE FROM "user" WHERE username = $1'),
    ofUser(`INSERT INTO retired_names (name) SELECT $1 WHERE EXISTS (
      SELECT 1 FROM invitations WHERE "from" = $1 UNION ALL SELECT 1 FROM invitations WHERE "to" = $1)
      ON CONFLICT DO NOTHING`),
  ];
}

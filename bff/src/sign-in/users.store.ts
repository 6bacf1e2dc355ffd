import { runWithTransaction } from '@better-auth/core/context';
import { randomUUID } from 'node:crypto';
import { Problem } from '../http/problem.ts';
import type { Database } from '../store/database.ts';
import { StorageError } from '../store/statement.ts';
import type { Statement } from '../store/statement.ts';
import type { Auth } from './better-auth.ts';

export async function userExists({ db, userName }: { db: Database; userName: string }): Promise<boolean> {
  return (await db.read({ sql: 'SELECT 1 FROM "user" WHERE username = $1', params: [userName] })).length > 0;
}

/** Whether no user has or had this name: a name is never assigned again. */
export async function nameIsFree({ db, userName }: { db: Database; userName: string }): Promise<boolean> {
  const sql = 'SELECT 1 FROM "user" WHERE username = $1 UNION ALL SELECT 1 FROM retired_names WHERE name = $1';
  return (await db.read({ sql, params: [userName] })).length === 0;
}

/**
 * Creates a user with a password and without a session. The caller has checked name and password.
 * @throws Problem `sign_up.name_taken`
 */
export async function createUser(options: { auth: Auth; userName: string; password: string }) {
  const { auth, userName, password } = options;
  const { adapter, internalAdapter, password: hasher } = await auth.$context;
  const hash = await hasher.hash(password);
  const create = async () => {
    const user = await internalAdapter.createUser(
      { name: userName, username: userName, email: `${randomUUID()}@people.invalid`, emailVerified: false },
      { method: 'email-password' },
    );
    await internalAdapter.linkAccount({
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password: hash,
    });
  };
  await runWithTransaction(adapter, create).catch((error: unknown) => {
    throw error instanceof StorageError && error.kind === 'constraint' ? new Problem('sign_up.name_taken') : error;
  });
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

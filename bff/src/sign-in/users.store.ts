import { runWithTransaction } from '@better-auth/core/context';
import { randomUUID } from 'node:crypto';
import { Problem } from '../http/problem.ts';
import type { Database } from '../store/database.ts';
import { StorageError } from '../store/statement.ts';
import type { Auth } from './better-auth.ts';

export async function userExists({ db, userName }: { db: Database; userName: string }): Promise<boolean> {
  return (await db.read({ sql: 'SELECT 1 FROM "user" WHERE username = $1', params: [userName] })).length > 0;
}

/** Whether nobody has this name or had it: a name is never given out again. */
export async function nameIsFree({ db, userName }: { db: Database; userName: string }): Promise<boolean> {
  const sql = 'SELECT 1 FROM "user" WHERE username = $1 UNION ALL SELECT 1 FROM retired_names WHERE name = $1';
  return (await db.read({ sql, params: [userName] })).length === 0;
}

/**
 * A user with a password and no session: the operator's way in. The caller has checked name and password.
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

import { codePoints } from '../limits/field-limits.ts';
import { Problem } from '../http/problem.ts';
import type { Database } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import type { AccountRow } from '../store/tables.ts';
import type { Auth } from './better-auth.ts';

const rule = { least: 8, most: 128 };

/** @throws Problem `password.too_weak` pointing at `pointer`, where the password has not 8 to 128 characters */
export function requireUsablePassword({ password, pointer }: { password: string; pointer: string }) {
  const length = codePoints(password);
  if (length >= rule.least && length <= rule.most) return;
  const detail = `has ${rule.least} to ${rule.most} characters`;
  throw new Problem('password.too_weak', { errors: [{ pointer, code: 'password.too_weak', detail }] });
}

const selectHash = `SELECT a.password FROM account a JOIN "user" u ON u.id = a."userId"
  WHERE u.username = $1 AND a."providerId" = 'credential'`;

/** What is kept of a user's password: something else after each change, also to the same one. */
export async function passwordHash(options: { db: Database; userName: string }): Promise<string | undefined> {
  const [account] = await options.db.read<Pick<AccountRow, 'password'>>({
    sql: selectHash,
    params: [options.userName],
  });
  return account?.password ?? undefined;
}

/**
 * Undefined for a wrong password and for a user who is not there, in the same time. For the right one a statement that
 * undoes the write it is part of where the password was changed since: looking at one takes long enough for that.
 */
export async function verifyPassword(options: { auth: Auth; db: Database; userName: string; password: string }) {
  const { auth, db, userName, password } = options;
  const { password: hasher } = await auth.$context;
  const hash = await passwordHash({ db, userName });
  if (!hash) await hasher.hash(password);
  if (!hash || !(await hasher.verify({ hash, password }))) return undefined;
  const precondition: Statement = { sql: `${selectHash} AND a.password = $2`, params: [userName, hash], expect: 'row' };
  return precondition;
}

/**
 * Sets a password and ends the user's sessions that are not to be kept, in one write. Better Auth's own
 * endpoint does it in three: a crash between them would leave the sessions of a thief alive.
 * False when there is no such user, or where it is not `precondition` so.
 */
export async function setPassword(options: {
  auth: Auth;
  db: Database;
  now: Date;
  userName: string;
  password: string;
  keep: 'all' | 'none' | { sessionId: string };
  precondition?: Statement;
}): Promise<boolean> {
  const { auth, db, now, userName, password, keep, precondition } = options;
  const hash = await (await auth.$context).password.hash(password);
  const ofUser = `"userId" = (SELECT id FROM "user" WHERE username = $1)`;
  const kept = typeof keep === 'object' ? keep.sessionId : '';
  const change: Statement = {
    sql: `UPDATE account SET password = $2, "updatedAt" = $3 WHERE "providerId" = 'credential' AND ${ofUser}`,
    params: [userName, hash, now.toISOString()],
    expect: 'row',
  };
  const end: Statement = { sql: `DELETE FROM session WHERE id <> $2 AND ${ofUser}`, params: [userName, kept] };
  return (await db.write([...(precondition ? [precondition] : []), change, ...(keep === 'all' ? [] : [end])])).ok;
}

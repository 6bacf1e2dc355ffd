import { hkdfSync } from 'node:crypto';
import type { Database } from './database.ts';
import { StorageError } from './statement.ts';

/** The secret of the server, and those that are accepted too while SECRET is changed. */
export type Secrets = readonly [string, ...string[]];

/** Recognises a secret, and does not tell it. */
const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'swarmdeck fingerprint', 16)).toString('base64url');

/**
 * Stores the fingerprint of the secret with the first use of the database, and later compares it.
 * @throws StorageError if the database is of none of these secrets
 */
export async function requireSecret({ db, secrets }: { db: Database; secrets: Secrets }): Promise<void> {
  const read = () => db.read<{ fingerprint: string }>({ sql: 'SELECT fingerprint FROM secret_fingerprint' });
  const sql = 'INSERT INTO secret_fingerprint VALUES (1, $1) ON CONFLICT (id) DO NOTHING';
  if ((await read()).length === 0) await db.write([{ sql, params: [fingerprintOf(secrets[0])] }]);
  const [stored] = await read();
  if (secrets.map(fingerprintOf).includes(stored!.fingerprint)) return;
  throw new StorageError(
    'away',
    'The database was used with another SECRET. Set that one, or put back the file `secret` that was in its data folder. ' +
      'If it is lost, run `swarmdeck restore --adopt --new-secret`',
  );
}

/** Makes this the secret of the database. */
export async function changeSecret({ db, secret }: { db: Database; secret: string }): Promise<void> {
  const sql = `INSERT INTO secret_fingerprint VALUES (1, $1)
    ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint`;
  await db.write([{ sql, params: [fingerprintOf(secret)] }]);
}

/** Deletes the webhooks, whose secrets are encrypted with a secret that is lost. Returns their users, who create them again. */
export async function deleteUnreadableWebhooks({ db }: { db: Database }): Promise<string[]> {
  const written = await db.write([
    { sql: 'DELETE FROM webhook_deliveries' },
    { sql: 'DELETE FROM webhooks RETURNING user_id', isResult: true },
  ]);
  return written.ok ? (written.rows as { user_id: string }[]).map(({ user_id }) => user_id).toSorted() : [];
}

/**
 * The users of authenticator apps, whose secrets are encrypted with a secret that is lost. The apps stay: without them, a password alone
 * would be enough to sign in.
 */
export async function usersOfUnreadableApps({ db }: { db: Database }): Promise<string[]> {
  const sql = 'SELECT user_id FROM totp WHERE confirmed_at IS NOT NULL ORDER BY user_id';
  return (await db.read<{ user_id: string }>({ sql })).map(({ user_id }) => user_id);
}

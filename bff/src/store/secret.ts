import { hkdfSync } from 'node:crypto';
import type { Database } from './database.ts';
import { StorageError } from './storage-error.ts';

/** Recognises a secret, and does not tell it. */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'swarmdeck fingerprint', 16)).toString('base64url');

export const readFingerprint = 'SELECT fingerprint FROM secret_fingerprint';

/**
 * Stores the fingerprint of the secret with the first use of the database, and later compares it.
 * @throws StorageError if the database is of neither secret
 */
export async function requireSecret(options: {
  db: Database;
  secret: string;
  secretBefore?: string | undefined;
}): Promise<void> {
  const { db, secret, secretBefore } = options;
  const read = () => db.read<{ fingerprint: string }>({ sql: readFingerprint });
  const sql = 'INSERT INTO secret_fingerprint VALUES (1, $1) ON CONFLICT (id) DO NOTHING';
  if ((await read()).length === 0) await db.write([{ sql, params: [fingerprintOf(secret)] }]);
  const [stored] = await read();
  const accepted = [secret, secretBefore].map((each) => each !== undefined && fingerprintOf(each));
  if (accepted.includes(stored!.fingerprint)) return;
  throw new StorageError(
    'away',
    'The database was used with another SECRET. Set that one, or put back the file `secret` that was in its data folder',
  );
}

/** Everything that was encrypted is encrypted with this one now. */
export async function changeSecret({ db, secret }: { db: Database; secret: string }): Promise<void> {
  await db.write([{ sql: 'UPDATE secret_fingerprint SET fingerprint = $1', params: [fingerprintOf(secret)] }]);
}

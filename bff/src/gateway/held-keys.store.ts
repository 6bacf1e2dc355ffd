import type { Database } from '../store/database.ts';

interface HeldKeyRecord {
  key_id: string;
  sealed: Uint8Array;
  created_at: string;
}

/** Undefined also where the key itself is gone or on its way out: what is held must open the service. */
export async function findHeldKey(asked: { db: Database; userName: string }): Promise<HeldKeyRecord | undefined> {
  const { db, userName } = asked;
  const sql = `SELECT h.key_id, h.sealed, h.created_at FROM held_keys h JOIN api_keys k ON k.id = h.key_id
    WHERE h.user_id = $1 AND k.user_id = h.user_id AND k.expires_at IS NULL`;
  const [record] = await db.read<HeldKeyRecord>({ sql, params: [userName] });
  return record;
}

/**
 * Holds this key from now on and lets the user's earlier ones live until `othersUntil`, in one write.
 * False when the user is gone: then nothing is held, and the new key is gone as well.
 */
export async function holdKey(options: {
  db: Database;
  userName: string;
  record: HeldKeyRecord;
  othersUntil: Date;
}): Promise<boolean> {
  const { db, userName, record, othersUntil } = options;
  const held = await db.write([
    { sql: 'SELECT 1 AS found FROM "user" WHERE username = $1', params: [userName], expect: 'row' },
    {
      sql: `INSERT INTO held_keys (user_id, key_id, sealed, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (user_id) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed,
          created_at = excluded.created_at`,
      params: [userName, record.key_id, record.sealed, record.created_at],
    },
    {
      // also one that a crash left between minting and holding
      sql: `UPDATE api_keys SET expires_at = $1
        WHERE user_id = $2 AND kind = 'held' AND id <> $3 AND expires_at IS NULL`,
      params: [othersUntil.toISOString(), userName, record.key_id],
    },
    {
      sql: `DELETE FROM api_keys WHERE user_id = $1 AND kind = 'held' AND expires_at <= $2`,
      params: [userName, record.created_at],
    },
  ]);
  if (!held.ok) await db.write([{ sql: 'DELETE FROM api_keys WHERE id = $1', params: [record.key_id] }]);
  return held.ok;
}

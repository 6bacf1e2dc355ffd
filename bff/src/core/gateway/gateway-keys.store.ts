import type { ChangeFeed } from '../feed/change-feed.ts';
import { createReadThroughCache } from '../feed/read-through-cache.ts';
import { dayMs } from '../limits/durations.ts';
import { memoryTable } from '../limits/part-limits.ts';
import { Problem } from '../problem.ts';
import type { Database } from '../store/database.ts';
import { keyKinds } from '../store/key-kinds.ts';
import type { Secrets } from '../store/secret.ts';
import { userExists } from '../store/user-locks.ts';
import { createSeal } from '../store/seal.ts';

/** In ms. A gateway key is replaced after 30 days; the old one remains valid for 60 s for running requests. */
export const gatewayKeyLifeMs = 30 * dayMs;
export const oldKeyLifeMs = 60_000;

interface GatewayKey {
  key: string;
  keyId: string;
  createdAt: number;
}

export type GatewayKeys = ReturnType<typeof createGatewayKeys>;

/**
 * The gateway's keys for browsers: one per user, created on first use, encrypted in the database, in plain text only in
 * memory. They are not listed, cannot be revoked by users, and never leave this process. The database calls them `held`.
 */
export function createGatewayKeys(options: {
  db: Database;
  feed: ChangeFeed;
  secrets: Secrets;
  now: () => Date;
  /** Creates a key in the service, which stores only its hash. */
  mint: (userName: string) => Promise<{ id: string; key: string }>;
}) {
  const { db, feed, secrets, now, mint } = options;
  const { seal, unseal, sealAllAgain } = createSeal(secrets);
  const cached = createReadThroughCache<GatewayKey>({
    feed,
    most: memoryTable.keys.most,
    kind: 'key.changed',
    idOf: ({ keyId }) => keyId,
    ownerOf: (_, userName) => userName,
  });
  /** The keys that are being read or created, by user. */
  const opening = new Map<string, Promise<GatewayKey>>();

  const isFresh = ({ createdAt }: GatewayKey) => now().getTime() - createdAt < gatewayKeyLifeMs;

  async function read(userName: string): Promise<GatewayKey | undefined> {
    const record = await findGatewayKey({ db, userName });
    const key = record && unseal({ sealed: record.sealed, owner: userName });
    if (!key) return undefined;
    const stored = { key, keyId: record.key_id, createdAt: Date.parse(record.created_at) };
    return isFresh(stored) ? stored : undefined;
  }

  const readCached = (userName: string) => cached.read(userName, () => read(userName));

  async function createAndStore(userName: string): Promise<GatewayKey> {
    const { id, key } = await mint(userName);
    const at = now();
    const record = { key_id: id, sealed: seal({ text: key, owner: userName }), created_at: at.toISOString() };
    const othersUntil = new Date(at.getTime() + oldKeyLifeMs);
    const isStored = await storeGatewayKey({ db, userName, record, othersUntil });
    // Another process may have replaced the key already, and then this one expires.
    const created = isStored ? await readCached(userName) : undefined;
    // The account was deleted during this request.
    if (!created) throw new Problem('session.missing');
    return created;
  }

  /** Runs `open` once for concurrent requests. */
  function openOnce(userName: string, open: () => Promise<GatewayKey>): Promise<GatewayKey> {
    const started = opening.get(userName);
    if (started) return started;
    const promise = open().finally(() => opening.delete(userName));
    opening.set(userName, promise);
    return promise;
  }

  return {
    /** The key for this user, which is valid. Usually cached, and then not a promise. */
    keyFor(userName: string): GatewayKey | Promise<GatewayKey> {
      const known = cached.get(userName);
      if (known && isFresh(known)) return known;
      return openOnce(userName, async () => (await readCached(userName)) ?? createAndStore(userName));
    },
    /** Replaces the key, for example after a change of password, because an attacker may have used the old one. */
    async replace(userName: string): Promise<void> {
      // A key that is being opened may be the old one.
      const opened = async () => {
        while (opening.has(userName)) await opening.get(userName)!.catch(() => {});
      };
      await opened();
      // A user without a key gets one on first use.
      if (!(await findGatewayKey({ db, userName }))) return;
      await opened();
      await openOnce(userName, () => createAndStore(userName));
    },
    /** Is called after a change of the server's secret. */
    sealAllAgain: () => sealAllAgain({ db, table: 'held_keys' }),
  };
}

interface GatewayKeyRecord {
  key_id: string;
  sealed: Uint8Array;
  created_at: string;
}

/** Undefined also if the key itself was deleted or expires: a gateway key must be valid. */
async function findGatewayKey(options: { db: Database; userName: string }): Promise<GatewayKeyRecord | undefined> {
  const { db, userName } = options;
  const sql = `SELECT h.key_id, h.sealed, h.created_at FROM held_keys h JOIN api_keys k ON k.id = h.key_id
    WHERE h.user_id = $1 AND k.user_id = h.user_id AND k.expires_at IS NULL`;
  const [record] = await db.read<GatewayKeyRecord>({ sql, params: [userName] });
  return record;
}

/**
 * Stores this key, and lets the user's earlier ones expire at `othersUntil`, in one write. Returns false if the user was
 * deleted: then nothing is stored, and the new key is deleted too.
 */
async function storeGatewayKey(options: {
  db: Database;
  userName: string;
  record: GatewayKeyRecord;
  othersUntil: Date;
}): Promise<boolean> {
  const { db, userName, record, othersUntil } = options;
  const { ok } = await db.write([
    userExists(userName),
    {
      sql: `INSERT INTO held_keys (user_id, key_id, sealed, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (user_id) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed,
          created_at = excluded.created_at`,
      params: [userName, record.key_id, record.sealed, record.created_at],
    },
    {
      // Another process that created one at the same time let it expire.
      sql: 'UPDATE api_keys SET expires_at = NULL WHERE id = $1 AND expires_at IS NOT NULL',
      params: [record.key_id],
    },
    {
      // This includes a key that a crash left between minting and storing.
      sql: `UPDATE api_keys SET expires_at = $1
        WHERE user_id = $2 AND kind = '${keyKinds.gateway}' AND id <> $3 AND expires_at IS NULL`,
      params: [othersUntil.toISOString(), userName, record.key_id],
    },
    {
      sql: `DELETE FROM api_keys WHERE user_id = $1 AND kind = '${keyKinds.gateway}' AND expires_at <= $2`,
      params: [userName, record.created_at],
    },
  ]);
  if (!ok) await db.write([{ sql: 'DELETE FROM api_keys WHERE id = $1', params: [record.key_id] }]);
  return ok;
}

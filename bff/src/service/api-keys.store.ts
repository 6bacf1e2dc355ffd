import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKey, CreatedApiKey } from '../contract.ts';
import { createReadThroughCache, type ChangeFeed } from '../change-feed/change-feed.ts';
import { Problem } from '../http/problem.ts';
import { quotaExceeded, type Quotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import type { ApiKeyRow } from '../store/row-types.ts';
import { accountActivity } from './activity.store.ts';
import { lockUser } from '../store/user-locks.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const format = /^swb_[0-9A-Za-z]{36}$/;

const dayMs = 86_400_000;

export interface Caller {
  userId: string;
  keyId: string;
}

export type Keys = ReturnType<typeof createKeys>;

export function createKeys({
  db,
  feed,
  quotas,
  now,
  newId,
}: {
  db: Database;
  feed: ChangeFeed;
  quotas: Quotas;
  now: () => Date;
  newId: () => string;
}) {
  const cached = createReadThroughCache<ApiKeyRow>({ feed, kind: 'key.changed', idOf: ({ id }) => id });

  async function find(key: string): Promise<ApiKeyRow | undefined> {
    const sql = `SELECT k.* FROM api_keys k JOIN "user" u ON u.username = k.user_id
                 WHERE k.hash = $1 AND u.disabled_at IS NULL`;
    const [row] = await db.read<ApiKeyRow>({ sql, params: [hashOf(key)] });
    return row && timingSafeEqual(row.hash, hashOf(key)) ? row : undefined;
  }

  function callerOf(row: ApiKeyRow | undefined): Caller | undefined {
    if (!row || (row.expires_at !== null && row.expires_at <= now().toISOString())) return undefined;
    noteUse(row);
    return { userId: row.user_id, keyId: row.id };
  }

  function noteUse(row: ApiKeyRow) {
    const at = now();
    // A date is parsed faster than one is written.
    if (row.last_used_on !== null && at.getTime() < Date.parse(row.last_used_on) + dayMs) return;
    const day = at.toISOString().slice(0, 10);
    row.last_used_on = day;
    // The request succeeds also if this cannot be written.
    db.write([{ sql: 'UPDATE api_keys SET last_used_on = $1 WHERE id = $2', params: [day, row.id] }]).catch(() => {});
  }

  /** Before the key is deleted, because its name is recorded. */
  function keyActivity(
    id: string,
    entry: { kind: 'account.key_created' | 'account.key_revoked'; userId: string; actor?: string },
  ) {
    const detail = { sql: '(SELECT name FROM api_keys WHERE id = $5)', params: [id] };
    return accountActivity({ ...entry, at: now().toISOString(), detail });
  }

  return {
    /** The caller with this key, if it is valid. A promise only if the key is not cached; a typo is found without a read. */
    verify(key: string): Caller | undefined | Promise<Caller | undefined> {
      const known = cached.get(key);
      if (known) return callerOf(known);
      if (!format.test(key) || checksum(key.slice(0, -6)) !== key.slice(-6)) return undefined;
      return cached.read(key, () => find(key)).then(callerOf);
    },

    /** Whether this process has found the key valid before. It may have been revoked since. */
    wasValid: (key: string): boolean => cached.get(key) !== undefined,

    /** `actor`: who creates it, by default the user. @throws `user.not_found` if the account was deleted meanwhile, `key.too_many` */
    async mint(options: {
      userId: string;
      kind: 'device' | 'held';
      name: string;
      actor?: string;
    }): Promise<CreatedApiKey> {
      const { userId, kind, name, actor = userId } = options;
      const key = newKey();
      const made = { id: newId(), name, ends_in: key.slice(-4), created_at: now().toISOString() };
      const isBelowQuota: Statement<'too many'> = {
        sql: `SELECT count(*) AS amount FROM api_keys WHERE user_id = $1 AND kind = 'device' HAVING count(*) < $2`,
        params: [userId, quotas.keys],
        orFail: 'too many',
      };
      const sql = `INSERT INTO api_keys (id, user_id, kind, name, hash, ends_in, created_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)`;
      const params = [made.id, userId, kind, name, hashOf(key), made.ends_in, made.created_at];
      const written = await db.write([
        lockUser(userId),
        ...(kind === 'held' ? [] : [isBelowQuota]),
        { sql, params },
        ...(kind === 'held' ? [] : [keyActivity(made.id, { kind: 'account.key_created', userId, actor })]),
      ]);
      if (written.ok) return { ...made, key };
      throw written.failed === 'no user' ? new Problem('user.not_found') : quotaExceeded('keys', quotas);
    },

    /** The user's device keys, oldest first, without the gateway's key. */
    async list(userId: string): Promise<ApiKey[]> {
      const sql = `SELECT id, name, ends_in, created_at, last_used_on FROM api_keys
                   WHERE user_id = $1 AND kind = 'device' ORDER BY created_at, id`;
      const rows = await db.read<ApiKeyRow>({ sql, params: [userId] });
      return rows.map(({ last_used_on, id, name, ends_in, created_at }) => ({
        id,
        name,
        ends_in,
        created_at,
        ...(last_used_on && { last_used_on }),
      }));
    },

    /** `actor`: who revokes it, by default the user. Returns false if the user has no such device key. */
    async revoke({ userId, id, actor }: { userId: string; id: string; actor?: string }): Promise<boolean> {
      const sql = `DELETE FROM api_keys WHERE id = $1 AND user_id = $2 AND kind = 'device'`;
      const noted = keyActivity(id, { kind: 'account.key_revoked', userId, ...(actor && { actor }) });
      const { ok } = await db.write([noted, { sql, params: [id, userId], orFail: 'no key' }]);
      return ok;
    },

    /** The ids of the keys that are no longer valid. */
    async ended(ids: readonly string[]): Promise<string[]> {
      const sql = `SELECT given.value AS id FROM elements($1) given WHERE NOT EXISTS
                   (SELECT 1 FROM api_keys k JOIN "user" u ON u.username = k.user_id WHERE k.id = given.value
                      AND u.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2))`;
      const rows = await db.read<{ id: string }>({ sql, params: [JSON.stringify(ids), now().toISOString()] });
      return rows.map(({ id }) => id);
    },
  };
}

/** `swb_`, 30 random characters, and 6 of a CRC32: secret scanners can find a key, and a typo needs no read. */
function newKey(): string {
  const random = Array.from({ length: 30 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `swb_${random}${checksum(`swb_${random}`)}`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function hashOf(key: string): Uint8Array {
  return createHash('sha256').update(key).digest();
}

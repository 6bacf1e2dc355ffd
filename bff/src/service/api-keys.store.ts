import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKey, CreatedApiKey } from '../contract.ts';
import { createReadThroughCache } from '../feed/read-through-cache.ts';
import type { Feed } from '../feed/feed.ts';
import { Problem, problemResponse } from '../http/problem.ts';
import type { Report } from '../http/problem.ts';
import { quotaExceeded } from '../limits/quotas.ts';
import type { Quotas } from '../limits/quotas.ts';
import { requireTurn } from '../limits/rate.ts';
import type { Rate } from '../limits/rate.ts';
import type { Database } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import type { ApiKeyRow } from '../store/tables.ts';
import { accountActivity } from './activity.store.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const format = /^swb_[0-9A-Za-z]{36}$/;

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
  feed: Feed;
  quotas: Quotas;
  now: () => Date;
  newId: () => string;
}) {
  const cached = createReadThroughCache<ApiKeyRow>({ feed, kind: 'key.changed', idOf: ({ id }) => id });

  async function find(key: string): Promise<ApiKeyRow | undefined> {
    const [row] = await db.read<ApiKeyRow>({ sql: 'SELECT * FROM api_keys WHERE hash = $1', params: [hashOf(key)] });
    return row && timingSafeEqual(row.hash, hashOf(key)) ? row : undefined;
  }

  function callerOf(row: ApiKeyRow | undefined): Caller | undefined {
    if (!row || (row.expires_at !== null && row.expires_at <= now().toISOString())) return undefined;
    noteUse(row);
    return { userId: row.user_id, keyId: row.id };
  }

  function noteUse(row: ApiKeyRow) {
    const day = now().toISOString().slice(0, 10);
    if (row.last_used_on === day) return;
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
      const isBelowQuota: Statement = {
        sql: `SELECT count(*) AS amount FROM api_keys WHERE user_id = $1 AND kind = 'device' HAVING count(*) < $2`,
        params: [userId, quotas.keys],
        expect: 'row',
      };
      const sql = `INSERT INTO api_keys (id, user_id, kind, name, hash, ends_in, created_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)`;
      const params = [made.id, userId, kind, name, hashOf(key), made.ends_in, made.created_at];
      const written = await db.write([
        { sql: 'SELECT 1 FROM "user" WHERE username = $1 FOR UPDATE', params: [userId], expect: 'row' },
        ...(kind === 'held' ? [] : [isBelowQuota]),
        { sql, params },
        ...(kind === 'held' ? [] : [keyActivity(made.id, { kind: 'account.key_created', userId, actor })]),
      ]);
      if (!written.ok) throw written.failed === 0 ? new Problem('user.not_found') : quotaExceeded('keys', quotas);
      return { ...made, key };
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

    /** Returns false if the user has no such device key. */
    async revoke({ userId, id }: { userId: string; id: string }): Promise<boolean> {
      const sql = `DELETE FROM api_keys WHERE id = $1 AND user_id = $2 AND kind = 'device'`;
      const noted = keyActivity(id, { kind: 'account.key_revoked', userId });
      const { ok } = await db.write([noted, { sql, params: [id, userId], expect: 'row' }]);
      return ok;
    },

    /** The ids of the keys that are no longer valid. */
    async ended(ids: readonly string[]): Promise<string[]> {
      const sql = `SELECT given.value AS id FROM elements($1) given WHERE NOT EXISTS
                   (SELECT 1 FROM api_keys k WHERE k.id = given.value AND (k.expires_at IS NULL OR k.expires_at > $2))`;
      const rows = await db.read<{ id: string }>({ sql, params: [JSON.stringify(ids), now().toISOString()] });
      return rows.map(({ id }) => id);
    },

    /** For the write that deletes an account. */
    deleteAllOf: (userId: string): Statement => ({ sql: 'DELETE FROM api_keys WHERE user_id = $1', params: [userId] }),
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

/** The bindings of a request from the app that mounts the service. */
interface ServiceBindings {
  requestId?: () => string;
  clientAddress?: () => string;
  /** The caller, if the gateway has identified it. The key in the request's header is then ignored. */
  caller?: Caller;
  /** Throws if the session or the key has ended since the request was accepted. */
  recheckAccess?: () => Promise<void> | void;
}

export interface ServiceEnv {
  Bindings: ServiceBindings & { caller: Caller; report: Report };
}

interface Identified {
  caller: Caller;
  recheckAccess: () => Promise<void> | void;
}

/**
 * Identifies the caller of each request, and passes the request to `serve`. The only reader of `x-serviceapikey`;
 * `recheckAccess` checks the key again. An address with too many invalid keys must wait before another key is read. A
 * key that was valid before is exempt: one device with a revoked key must not lock out the others at its address.
 * Synchronous if the key is cached. Responds with `key.throttled`, `key.invalid` or `rate.exceeded`.
 */
export function createKeyGuard({
  keys,
  failures,
  requests,
  serve,
  report,
}: {
  keys: Pick<Keys, 'verify' | 'wasValid'>;
  /** Invalid keys by client address. */
  failures: Rate;
  /** Requests by user. */
  requests: Rate;
  serve: (request: Request, bindings: ServiceEnv['Bindings']) => Response | Promise<Response>;
  report: Report;
}): (request: Request, bindings?: ServiceBindings) => Response | Promise<Response> {
  function identify(request: Request, bindings: ServiceBindings): Identified | Promise<Identified> {
    const { caller, clientAddress, recheckAccess = () => {} } = bindings;
    if (caller) return { caller, recheckAccess };
    const key = request.headers.get('x-serviceapikey');
    const address = () => clientAddress?.() ?? 'unknown';
    const isExempt = key !== null && keys.wasValid(key);
    // Counted before the key is read, so that of many concurrent requests only the allowed number is read.
    const wait = isExempt ? 0 : failures.take(address());
    if (wait > 0) throw new Problem('key.throttled', { headers: { 'retry-after': String(wait) } });
    const verified = (found: Caller | undefined): Identified => {
      if (key === null || !found) {
        if (isExempt) failures.take(address());
        throw new Problem('key.invalid');
      }
      if (!isExempt) failures.giveBack(address());
      const verifyAgain = async () => {
        if (!(await keys.verify(key))) throw new Problem('key.invalid');
      };
      return { caller: found, recheckAccess: verifyAgain };
    };
    const found = key === null ? undefined : keys.verify(key);
    return found instanceof Promise ? found.then(verified) : verified(found);
  }

  return (request, bindings = {}) => {
    const fail = (error: unknown) =>
      problemResponse({ error, requestId: bindings.requestId?.() ?? '', request, report });
    const admit = (identified: Identified) => {
      requireTurn(requests, identified.caller.userId);
      return serve(request, { ...bindings, ...identified, report });
    };
    try {
      const identified = identify(request, bindings);
      return identified instanceof Promise ? identified.then(admit).catch(fail) : admit(identified);
    } catch (error) {
      return fail(error);
    }
  };
}

import type { AccountKeys, ApiKey, CreatedApiKey } from '../../contract.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import { createReadThroughCache } from '../feed/read-through-cache.ts';
import { hourMs } from '../limits/durations.ts';
import { Problem, type Report } from '../problem.ts';
import { BoundedMap } from '../limits/bounded-map.ts';
import { messageLimits, type KeyScope } from '../limits/field-rules.ts';
import { keyLimits, memoryTable } from '../limits/part-limits.ts';
import { quotaExceeded, type Quotas } from '../limits/quotas.ts';
import { createSharedReads } from '../limits/shared-reads.ts';
import type { Database } from '../store/database.ts';
import { keyKinds } from '../store/key-kinds.ts';
import { raw, sql, type Query, type Sql, type Statement } from '../store/statement.ts';
import type { ApiKeyRow } from '../store/row-types.ts';
import { keyActivity } from '../activity/activity.store.ts';
import { createDeviceKeyMint, revokeAttempt } from './device-keys.store.ts';
import { hashOf, isKey, newKey } from './key-text.ts';
import { lockUser } from '../store/user-locks.ts';
import { withinQuota } from '../endpoint/write-checks.store.ts';

/** Keys of devices that an account lists. */
const deviceKeysListed = 100;
const purgeSize = 500;

export interface Caller {
  userId: string;
  keyId: string;
  /** The only device that the key acts for. */
  resourceId?: string;
  scope: KeyScope;
}

/** What is cached of a key. */
type KnownKey = Pick<ApiKeyRow, 'id' | 'user_id' | 'resource_id' | 'scope' | 'expires_at' | 'last_used_on'>;

/** The numbers of hashes in a statement: few texts, so that each can be prepared. The last one is repeated to fill it. */
const hashesInStatement = [1, 8, 64, keyLimits.readAtOnce];

function selectKeys(hashes: readonly Uint8Array[]): Query {
  const count = hashesInStatement.find((size) => size >= hashes.length)!;
  const params = Array.from({ length: count }, (_, index) => hashes[index] ?? hashes.at(-1)!);
  const list = params.map((_, index) => `$${index + 1}`).join(', ');
  const sql = `SELECT k.id, k.user_id, k.resource_id, k.scope, k.expires_at, k.last_used_on, k.hash
               FROM api_keys k JOIN "user" u ON u.username = k.user_id
               WHERE k.hash IN (${list}) AND u.disabled_at IS NULL`;
  return { sql, params };
}

const columns = 'id, name, scope, ends_in, created_at, last_used_on, expires_at, refused_at, refused_operation';
type ListedRow = Omit<ApiKeyRow, 'user_id' | 'kind' | 'hash' | 'resource_id'>;
const listed = (row: ListedRow): ApiKey => ({
  id: row.id,
  name: row.name,
  scope: row.scope,
  ends_in: row.ends_in,
  created_at: row.created_at,
  ...(row.last_used_on && { last_used_at: row.last_used_on }),
  ...(row.expires_at && { expires_at: row.expires_at }),
  ...(row.refused_at && row.refused_operation && { refused: { at: row.refused_at, operation: row.refused_operation } }),
});

export type Keys = ReturnType<typeof createKeys>;

const callerOf = ({ user_id: userId, id: keyId, resource_id: resourceId, scope }: KnownKey): Caller =>
  resourceId === null ? { userId, keyId, scope } : { userId, keyId, scope, resourceId };

interface Deps {
  db: Database;
  quotas: Quotas;
  now: () => Date;
  newId: () => string;
}

export function createKeys({ db, feed, quotas, now, newId, report }: Deps & { feed: ChangeFeed; report: Report }) {
  const cached = createReadThroughCache<KnownKey>({
    feed,
    most: memoryTable.keys.most,
    kind: 'key.changed',
    idOf: ({ id }) => id,
    ownerOf: ({ user_id }) => user_id,
  });
  /** After a restart, thousands of devices come at once, and among them those with wrong keys. */
  const unknown = createSharedReads<KnownKey>({
    read: (keys) => cached.readAll(() => find(keys)),
    atOnce: keyLimits.readAtOnce,
    mostWaiting: keyLimits.waiting,
  });

  async function find(keys: readonly string[]): Promise<Map<string, KnownKey>> {
    const keyOfHash = new Map(keys.map((key) => [hexOf(hashOf(key)), key]));
    const rows = await db.read<KnownKey & { hash: Uint8Array }>(selectKeys(keys.map(hashOf)));
    return new Map(rows.map(({ hash, ...known }) => [keyOfHash.get(hexOf(hash))!, known]));
  }

  /** The caller with this key, if it has not expired. Notes once an hour that it is used. */
  function admit(row: KnownKey | undefined): Caller | undefined {
    if (!row || (row.expires_at !== null && row.expires_at <= now().toISOString())) return undefined;
    noteUse(row);
    return callerOf(row);
  }

  function noteUse(row: KnownKey) {
    const at = now();
    // A date is parsed faster than one is written.
    if (row.last_used_on !== null && at.getTime() < Date.parse(row.last_used_on) + hourMs) return;
    row.last_used_on = at.toISOString();
    // The request succeeds also if this cannot be written.
    db.write([
      { sql: 'UPDATE api_keys SET last_used_on = $1 WHERE id = $2', params: [row.last_used_on, row.id] },
    ]).catch(() => {});
  }

  /** The day on which each key was last refused something, as far as this process knows. */
  const refusedOn = new BoundedMap<string, string>(memoryTable.keys.most);

  return {
    /** The caller with this key, if it is cached and valid. */
    cached: (key: string): Caller | undefined => admit(cached.get(key)),

    /**
     * The caller with this key, if it is valid. A promise only if the key is not cached; a typo is found without a read.
     * `asker`: whose turn the read is.
     */
    verify(key: string, asker = key): Caller | undefined | Promise<Caller | undefined> {
      const known = cached.get(key);
      if (known) return admit(known);
      if (!isKey(key)) return undefined;
      return unknown.read({ asker, key }).then(admit);
    },

    mint: (options: NewKey) => mint({ db, quotas, now, newId }, options),
    mintForDevices: createDeviceKeyMint({ db, quotas, now, newId, report }),

    /** The user's keys, oldest first, without the gateway's key and those of devices. */
    list: (userId: string) => listOfUser(db, userId),
    ofDevices: (userId: string, page: DeviceKeysPage) => listOfDevices(db, userId, page),
    /** The keys of a device, oldest first. */
    ofDevice: (resourceId: string) => listOfDevice(db, resourceId),
    revoke: (revoked: RevokedKey) => revoke({ db, now }, revoked),

    /** Notes what the scope of a key did not allow, once a day. Its owner sees it beside the key. */
    noteRefusedKey({ keyId, operation }: { keyId: string; operation: string }): void {
      const at = now().toISOString();
      const day = at.slice(0, 10);
      if (refusedOn.get(keyId) === day) return;
      refusedOn.set(keyId, day);
      // The request was refused also if this cannot be written.
      db.write([
        // Another process, or this one before it was started again, may have noted one.
        sql`UPDATE api_keys SET refused_at = ${at}, refused_operation = ${operation}
          WHERE id = ${keyId} AND (refused_at IS NULL OR refused_at < ${day})`,
      ]).catch(() => {});
    },

    purge: () => purgeExpired({ db, now }),

    /** The ids of the keys that are no longer valid. */
    ended: (ids: readonly string[]) => listEnded({ db, now }, ids),
  };
}

async function listOfUser(db: Database, userId: string): Promise<ApiKey[]> {
  const rows = await db.read<ListedRow>({
    sql: `SELECT ${columns} FROM api_keys
          WHERE user_id = $1 AND kind = '${keyKinds.own}' AND resource_id IS NULL ORDER BY created_at, id`,
    params: [userId],
  });
  return rows.map(listed);
}

/** `reads`: those of a requester. */
interface DeviceKeysPage {
  reads?: Pick<Database, 'read'>;
  most?: number;
}

/** The newest keys of the user's devices, newest first, and how many there are. */
async function listOfDevices(
  db: Database,
  userId: string,
  { reads = db, most = deviceKeysListed }: DeviceKeysPage,
): Promise<AccountKeys['device_keys']> {
  const own = `api_keys k JOIN resources r ON r.id = k.resource_id WHERE k.user_id = $1 AND k.kind = '${keyKinds.own}'`;
  const [rows, [counted]] = await Promise.all([
    reads.read<ListedRow & { device_id: string; device_name: string }>({
      sql: `SELECT ${columns.replaceAll(/\w+/g, 'k.$&')}, r.id AS device_id, r.name AS device_name FROM ${own}
            ORDER BY k.created_at DESC, k.id DESC LIMIT $2`,
      params: [userId, most],
      isLong: true,
    }),
    reads.read<{ total: number }>({ sql: `SELECT count(*) AS total FROM ${own}`, params: [userId], isLong: true }),
  ]);
  const items = rows.map((row) => ({ ...listed(row), device: { id: row.device_id, name: row.device_name } }));
  return { items, total: counted!.total };
}

async function listOfDevice(db: Database, resourceId: string): Promise<ApiKey[]> {
  const sql = `SELECT ${columns} FROM api_keys WHERE resource_id = $1 ORDER BY created_at, id`;
  return (await db.read<ListedRow>({ sql, params: [resourceId] })).map(listed);
}

export async function listEnded({ db, now }: Pick<Deps, 'db' | 'now'>, ids: readonly string[]): Promise<string[]> {
  const sql = `SELECT given.value AS id FROM elements($1) given WHERE NOT EXISTS
               (SELECT 1 FROM api_keys k JOIN "user" u ON u.username = k.user_id WHERE k.id = given.value
                  AND u.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2))`;
  const rows = await db.read<{ id: string }>({ sql, params: [JSON.stringify(ids), now().toISOString()] });
  return rows.map(({ id }) => id);
}

/** `actor`: who revokes it, by default the user. `resourceId`: only if it is of this device. */
interface RevokedKey {
  userId: string;
  id: string;
  actor?: string;
  resourceId?: string;
}

/** Returns false if the user has no such key. */
async function revoke({ db, now }: Pick<Deps, 'db' | 'now'>, revoked: RevokedKey): Promise<boolean> {
  const { userId, id, actor, resourceId } = revoked;
  const noted = keyActivity({
    kind: 'account.key_revoked',
    at: now().toISOString(),
    id,
    userId,
    ...(actor && { actor }),
  });
  const key = sql`FROM api_keys WHERE id = ${id} AND user_id = ${userId} AND kind = ${keyKinds.own}
    AND resource_id IS NOT DISTINCT FROM coalesce(${resourceId ?? null}, resource_id)`;
  // A write that fails costs others their commit.
  if ((await db.read(sql`SELECT 1 ${key}`)).length === 0) return false;
  const { ok } = await db.write([noted, { ...sql`DELETE ${key}`, user: userId, orFail: 'no key' }]);
  return ok;
}

/** `actor`: who creates it, by default the user. `resourceId`: a device of the user, which the key acts for. */
interface NewKey {
  userId: string;
  /** `gateway`: it is attached to the requests of the user's sessions. Nobody sees it. */
  kind: 'own' | 'gateway';
  name: string;
  actor?: string;
  resourceId?: string | undefined;
  expiresAt?: string | undefined;
  scope?: KeyScope;
  attempt?: string | undefined;
}

/** @throws `user.not_found` if the account was deleted meanwhile, `resource.not_found`, `key.too_many` */
async function mint({ db, quotas, now, newId }: Deps, options: NewKey): Promise<CreatedApiKey> {
  const { name, expiresAt, scope = 'all' } = options;
  const key = newKey();
  const made = { id: newId(), name, scope, ends_in: key.slice(-4), created_at: now().toISOString() };
  const written = await db.write(keyStatements({ ...options, made, hash: hashOf(key), quotas }));
  if (written.ok) return { ...made, ...(expiresAt && { expires_at: expiresAt }), key };
  throw notMinted(written.failed, options.resourceId, quotas);
}

type NotMinted = 'no user' | 'no device' | 'too many' | 'too many device_keys';

function keyStatements(
  options: NewKey & { made: Omit<ApiKey, 'last_used_at'>; hash: Uint8Array; quotas: Quotas },
): Statement<NotMinted>[] {
  const { userId, kind, made, hash, actor = userId, resourceId, expiresAt = null, attempt, quotas } = options;
  const { id, name, scope, ends_in, created_at: at } = made;
  return [
    lockUser(userId),
    ...revokeAttempt({ userId, attempt, at }),
    ...(kind === 'gateway' ? [] : roomForKey({ userId, resourceId, at, quotas })),
    sql`INSERT INTO api_keys (id, user_id, kind, name, hash, ends_in, created_at, resource_id, expires_at,
          scope, attempt)
        VALUES (${id}, ${userId}, ${keyKinds[kind]}, ${name}, ${hash}, ${ends_in}, ${at},
          ${resourceId ?? null}, ${expiresAt}, ${scope}, ${attempt ?? null})`,
    ...(resourceId === undefined ? [] : [withinQuota({ userId, kind: 'device_keys', allowed: quotas.device_keys })]),
    ...(kind === 'gateway' ? [] : [keyActivity({ kind: 'account.key_created', at, id, userId, actor })]),
  ];
}

function notMinted(failed: NotMinted, resourceId: string | undefined, quotas: Quotas): Problem {
  if (failed === 'no user') return new Problem('user.not_found');
  if (failed === 'no device') return new Problem('resource.not_found');
  if (failed === 'too many device_keys') return quotaExceeded('device_keys', quotas);
  return resourceId === undefined
    ? quotaExceeded('keys', quotas)
    : new Problem('key.too_many', { detail: tooManyOfDevice });
}

/** Deletes the keys of devices that have expired, in parts: they count for the quota of their owner until then. */
async function purgeExpired({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const at = now().toISOString();
  const expired = sql`SELECT id FROM api_keys WHERE resource_id IS NOT NULL AND expires_at <= ${at} LIMIT ${raw(String(purgeSize))}`;
  for (;;) {
    const rows = await db.read<{ id: string }>({ ...expired, isLong: true });
    if (rows.length === 0) return;
    const ids = JSON.stringify(rows.map(({ id }) => id));
    await db.write([
      sql`DELETE FROM api_keys WHERE id IN (SELECT value FROM elements(${ids})) AND expires_at <= ${at}`,
    ]);
  }
}

/** Checks that the account, or the device, has room for one more key. Keys of the device that have expired make room. */
function roomForKey(key: {
  userId: string;
  resourceId: string | undefined;
  at: string;
  quotas: Quotas;
}): Statement<'no device' | 'too many'>[] {
  const { userId, resourceId, at, quotas } = key;
  const isBelow = ({ holder, allowed }: { holder: Sql; allowed: number }): Statement<'too many'> => ({
    ...sql`SELECT count(*) AS amount FROM api_keys WHERE ${holder} AND kind = ${keyKinds.own} HAVING count(*) < ${allowed}`,
    orFail: 'too many',
  });
  return resourceId === undefined
    ? [isBelow({ holder: sql`user_id = ${userId} AND resource_id IS NULL`, allowed: quotas.keys })]
    : [
        {
          sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2 FOR SHARE',
          params: [resourceId, userId],
          orFail: 'no device',
        },
        sql`DELETE FROM api_keys WHERE resource_id = ${resourceId} AND expires_at <= ${at}`,
        isBelow({ holder: sql`resource_id = ${resourceId}`, allowed: messageLimits.keysOfDevice }),
      ];
}

const tooManyOfDevice = `A device can have up to ${messageLimits.keysOfDevice} keys. Revoke some first.`;

const hexOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

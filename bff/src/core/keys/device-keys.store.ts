/** Keys for many devices at once. */
import type { CreatedDeviceKeys } from '../../contract.ts';
import { asProblem } from '../http/problem-response.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { threadTicks } from '../limits/loop-ticks.ts';
import { messageLimits } from '../limits/field-rules.ts';
import { keyLimits } from '../limits/part-limits.ts';
import { queueTable } from '../limits/limit-tables.ts';
import { quotaExceeded, type Quotas } from '../limits/quotas.ts';
import { Problem, type Report } from '../problem.ts';
import type { Database } from '../store/database.ts';
import { keyKinds } from '../store/key-kinds.ts';
import { belongsTo } from '../store/of-user.ts';
import { join, sql, type Sql, type Statement } from '../store/statement.ts';
import { lockUser } from '../store/user-locks.ts';
import { accountActivity } from '../activity/activity.store.ts';
import { withinQuota } from '../endpoint/write-checks.store.ts';
import { hashOf, newKey } from './key-text.ts';

interface Options {
  db: Database;
  quotas: Quotas;
  now: () => Date;
  newId: () => string;
  report: Report;
}

export function createDeviceKeyMint(options: Options) {
  /** One after the other, users in turn: other writes run in between. */
  const queue = createFairQueue({ mostWaiting: queueTable.device_keys.most, ticks: threadTicks });

  /**
   * Creates a key for each of these devices of the user, with the name of the device, 100 in a write. Only the response has the
   * keys. If a write fails after others, the response has what they created, and its devices are `failed` with its code.
   * @throws `user.not_found` if the account was deleted meanwhile, `rate.exceeded`, `key.too_many` if there would be more than
   * the quota at its start: then none is created
   */
  return async function mintForDevices(request: {
    userId: string;
    resourceIds: readonly string[];
    attempt?: string | undefined;
  }): Promise<CreatedDeviceKeys> {
    const { userId, attempt } = request;
    const resourceIds = [...new Set(request.resourceIds)];
    const result: CreatedDeviceKeys = { items: [], failed: [] };
    for (let from = 0; from < resourceIds.length; from += keyLimits.createdAtOnce) {
      const ids = resourceIds.slice(from, from + keyLimits.createdAtOnce);
      try {
        // Whether all are within the quota is asked once: it takes as long as to create a hundred.
        const later = from === 0 ? resourceIds.slice(ids.length) : [];
        const mint = () => mintSome({ ...options, userId, ids, later, attempt, isFirst: from === 0 });
        const { items, failed } = await queue.run({ user: userId }, mint, { continues: from > 0 });
        result.items.push(...items);
        result.failed.push(...failed);
      } catch (error) {
        if (result.items.length === 0) throw error;
        // The keys that were created stand only in this response.
        const { code } = asProblem(error);
        if (code === 'server.failed') options.report(error);
        result.failed.push(...resourceIds.slice(from).map((id) => ({ id, code })));
        break;
      }
    }
    return result;
  };
}

const among = (ids: readonly string[]): Sql => sql`IN (SELECT value FROM elements(${JSON.stringify(ids)}))`;

/** Devices that get their keys in one write. */
interface Chunk {
  userId: string;
  ids: readonly string[];
  /** The devices after these, whose keys must be within the quota too. */
  later: readonly string[];
  attempt: string | undefined;
  /** The first one revokes all that an earlier request of this attempt has created. */
  isFirst: boolean;
}

async function mintSome({
  db,
  quotas,
  now,
  newId,
  userId,
  ids,
  later,
  attempt,
  isFirst,
}: Options & Chunk): Promise<CreatedDeviceKeys> {
  const at = now().toISOString();
  const keyOf = new Map(ids.map((id) => [id, { id: newId(), key: newKey() }]));
  const made = [...keyOf.values()].map(({ id }) => id);
  const devices = sql`id ${among(ids)} AND ${belongsTo(userId)}`;
  const hasSpace = sql`(SELECT count(*) FROM api_keys WHERE resource_id = r.id
    AND (expires_at IS NULL OR expires_at > ${at})) < ${messageLimits.keysOfDevice}`;
  const ofLater = sql`r.id ${among(later)} AND ${belongsTo(userId, 'r.user_id')}`;
  /** New keys of the later devices, and their expired ones, which make room. */
  const upcoming = sql`(SELECT count(*) FROM resources r WHERE ${ofLater} AND ${hasSpace})
    - (SELECT count(*) FROM api_keys k JOIN resources r ON r.id = k.resource_id WHERE ${ofLater} AND k.expires_at <= ${at})`;
  // The first part has the types of the columns, and no row.
  const keys = join(
    [
      sql`SELECT id, hash, ends_in, resource_id FROM api_keys WHERE false`,
      ...[...keyOf].map(([device, { id, key }]) => sql`SELECT ${id}, ${hashOf(key)}, ${key.slice(-4)}, ${device}`),
    ],
    ' UNION ALL ',
  );
  const written = await db.write([
    lockUser(userId),
    sql`SELECT 1 FROM resources WHERE ${devices} ORDER BY id FOR SHARE`,
    // The chunks of an earlier try may still be running.
    ...revokeAttempt({ userId, attempt, at, only: isFirst ? undefined : sql`resource_id ${among(ids)}` }),
    sql`DELETE FROM api_keys WHERE expires_at <= ${at} AND resource_id IN (SELECT id FROM resources WHERE ${devices})`,
    {
      ...sql`INSERT INTO api_keys (id, user_id, kind, name, hash, ends_in, created_at, resource_id, attempt)
        SELECT k.id, r.user_id, ${keyKinds.own}, r.name, k.hash, k.ends_in, ${at}, r.id, ${attempt ?? null}
        FROM (${keys}) k JOIN resources r ON r.id = k.resource_id WHERE r.user_id = ${userId} AND ${hasSpace}`,
      rows: ids.length,
    },
    withinQuota({
      userId,
      kind: 'device_keys',
      allowed: quotas.device_keys,
      upcoming: later.length === 0 ? undefined : upcoming,
    }),
    {
      ...sql`SELECT r.id, r.name, k.id AS key_id FROM (SELECT id, name FROM resources WHERE ${devices}) r
             LEFT JOIN (SELECT id, resource_id FROM api_keys WHERE id ${among(made)}) k ON k.resource_id = r.id`,
      isResult: true,
    },
    keysActivity({ kind: 'account.key_created', userId, at, which: sql`id ${among(made)}` }),
  ]);
  if (!written.ok) {
    if (written.failed === 'no user') throw new Problem('user.not_found');
    throw quotaExceeded('device_keys', quotas);
  }
  const rows = written.rows as { id: string; name: string; key_id: string | null }[];
  const found = new Map(rows.map((row) => [row.id, row]));
  const result: CreatedDeviceKeys = { items: [], failed: [] };
  for (const [id, { key }] of keyOf) {
    const device = found.get(id);
    if (device?.key_id) result.items.push({ device: { id, name: device.name }, key });
    else result.failed.push({ id, code: device ? 'key.too_many' : 'resource.not_found' });
  }
  return result;
}

/** Revokes what an earlier try to create keys has created: its answer was lost, so nobody has them. */
export function revokeAttempt({
  userId,
  attempt,
  at,
  only = sql`true`,
}: Pick<Chunk, 'userId' | 'attempt'> & { at: string; only?: Sql | undefined }): Statement[] {
  if (attempt === undefined) return [];
  const which = sql`user_id = ${userId} AND attempt = ${attempt} AND ${only}`;
  return [keysActivity({ kind: 'account.key_replaced', userId, at, which }), sql`DELETE FROM api_keys WHERE ${which}`];
}

/** One entry for all of these keys, with the name of one of them: `Buoy 1 +11`. */
function keysActivity({
  which,
  ...entry
}: Pick<Parameters<typeof accountActivity>[0], 'kind' | 'userId' | 'at'> & { which: Sql }) {
  const keys = sql`FROM api_keys WHERE ${which}`;
  const detail = sql`(SELECT min(name) || CASE WHEN count(*) > 1 THEN ' +' || (count(*) - 1) ELSE '' END ${keys})`;
  return accountActivity({ ...entry, detail, only: sql`EXISTS (SELECT 1 ${keys})` });
}

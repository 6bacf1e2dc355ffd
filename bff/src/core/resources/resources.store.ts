import type { Resource, ResourceCreate } from '../../contract.ts';
import { Problem, type FieldFault } from '../problem.ts';
import type { Requester } from '../limits/fair-queue.ts';
import { idFormat } from '../limits/field-rules.ts';
import type { LongReads } from '../limits/long-reads.ts';
import { quotaExceeded, type Quotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import {
  fieldsOf,
  recordColumns,
  resourceOf,
  storedFields,
  type FieldChange,
  type RecordRow,
  type ResourceRow,
} from '../store/resource-fields.ts';
import {
  allOf,
  always,
  firstRow,
  join,
  listOf,
  raw,
  sql,
  type Sql,
  type Statement,
  type Value,
} from '../store/statement.ts';
import { belongsTo } from '../store/of-user.ts';
import { incrementVersionsOf } from '../store/swarm-version.ts';
import { isOpen, seesDevice } from '../store/visibility.ts';
import { changedResource, deletedResources, renamedResource } from '../activity/activity.store.ts';
import { createdText, type Claim, type CreatedRecord } from '../endpoint/idempotency.store.ts';
import { chunkSql } from '../endpoint/chunk-sql.ts';
import { textChunkOf, textChunksOf, textChunkSizes, type BytesChunk } from '../endpoint/list-chunks.ts';
import { appendPoint, beginTrack, deleteTrack, withinTracks } from '../../capabilities/tracks/tracks.store.ts';
import { countTimesFrom, deleteValues } from '../../capabilities/values/value-rows.store.ts';
import { locatedAt, notAfter, stillReplaces, type PositionReport } from './position-reports.ts';
import { chunkFormatOf, resourceChunk, type ChunkRow, type ResourceFormat } from './resource-chunk.shape.ts';
import { policy, type OperationOn } from '../endpoint/policy.ts';
import type { ResourceRelation, ResourceRule } from '../endpoint/rules.ts';
import { lockUser, userExists } from '../store/user-locks.ts';
import { withinQuota } from '../endpoint/write-checks.store.ts';

const columns = recordColumns('resources');
const columnsOfOne = `${columns}, ${locatedAt} AS located_at`;

const selectOne = `SELECT ${columnsOfOne} FROM resources WHERE id = $1`;
const ofUser = {
  columns: `${columns}, ref`,
  time: 'created_at',
  id: 'ref',
  from: 'resources',
  where: 'user_id = $3',
};
const selectFirst = chunkSql({ ...ofUser, size: textChunkSizes.first });
const selectNext = chunkSql({ ...ofUser, size: textChunkSizes.next });
const selectRelation = `
  SELECT CASE
    WHEN EXISTS (SELECT 1 FROM memberships m JOIN swarms s ON s.id = m.swarm_id
                 WHERE m.resource_id = $1 AND s.user_id = $2 AND ${isOpen('m')}) THEN 'swarm_owner'
    WHEN ${seesDevice({ user: raw('$2'), resource: raw('$1') }).sql} THEN 'member'
    ELSE 'stranger' END AS relation`;

export interface StoredResource {
  record: Resource;
  version: number;
  /** The time of its position, or since when it has none; empty if it never had one. */
  locatedAt: string;
}

type OneRow = RecordRow & { located_at: string };
const stored = (row: OneRow): StoredResource => ({
  record: resourceOf(row),
  version: row.version,
  locatedAt: row.located_at,
});

interface UpdateOptions {
  id: string;
  userId: string;
  /** The record as it was read before the update. */
  found: StoredResource;
  change: FieldChange;
  /** The device's report that has the position; undefined for an edit. */
  report?: PositionReport | undefined;
  version: number | undefined;
  modifiedAt: string | undefined;
  /** The user's log says that it was changed with this key. */
  loggedKey?: string | undefined;
}

interface CreateOptions {
  id: string;
  userId: string;
  body: ResourceCreate;
  claim?: Claim;
  created_at?: string;
}

interface DestroyOptions {
  id: string;
  userId: string;
  version: number | undefined;
  /** Only if it is in no swarm and has no key. */
  isUnused?: boolean;
}

interface DestroyAllOptions {
  ids: readonly string[];
  userId: string;
}

interface Deps {
  db: Database;
  readsOf: LongReads;
  quotas: Quotas;
  now: () => Date;
}

type Writes = Omit<Deps, 'readsOf'>;

export type Resources = ReturnType<typeof createResources>;

export function createResources({ db, readsOf, quotas, now }: Deps) {
  /** The resources of the requester, oldest first, as parts of a text. */
  const list = (requester: Requester, format: ResourceFormat) =>
    textChunksOf({
      async first() {
        const rows = await db.read<ChunkRow>({
          sql: selectFirst,
          params: ['', 0, requester.user],
          user: requester.user,
        });
        return textChunkOf(rows, chunkFormatOf(format));
      },
      async next(after) {
        const shape = resourceChunk({ format });
        const query = { sql: selectNext, params: [...after, requester.user], shape };
        const [chunk] = await readsOf(requester).read<BytesChunk>(query);
        return chunk!;
      },
    });

  /** `user`: who asks, if a request begins with it. */
  async function find(id: string, user?: string): Promise<StoredResource | undefined> {
    const [found] = await db.read<OneRow>({ sql: selectOne, params: [id], user });
    return found && stored(found);
  }

  /** The user's relation to a resource that exists and belongs to another user. */
  async function relation(id: string, userId: string): Promise<ResourceRelation> {
    const [found] = await db.read<{ relation: ResourceRelation }>({
      sql: selectRelation,
      params: [id, userId],
      user: userId,
    });
    return found!.relation;
  }

  return {
    find,

    /**
     * The resource with this id, if the user may execute the operation.
     * @throws `resource.not_found`, `resource.forbidden`
     */
    async require(request: {
      userId: string;
      id: string;
      operation: OperationOn<ResourceRule>;
    }): Promise<StoredResource> {
      const { userId, id, operation } = request;
      const found = idFormat.test(id) ? await find(id, userId) : undefined;
      if (!found) throw new Problem('resource.not_found');
      const rule: ResourceRule = policy[operation].rule;
      const verdict = rule[found.record.user_id === userId ? 'owner' : await relation(id, userId)];
      if (verdict === 'allow') return found;
      throw new Problem(verdict === 'forbid' ? 'resource.forbidden' : 'resource.not_found');
    },

    /** The resources among these that exist, by id. */
    async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Resource>> {
      if (ids.length === 0) return new Map();
      const select = `SELECT ${columns} FROM resources WHERE id IN (SELECT value FROM elements($1))`;
      const rows = await db.read<RecordRow>({ sql: select, params: [JSON.stringify(ids)] });
      return new Map(rows.map((row) => [row.id, resourceOf(row)]));
    },

    /** The ids among these that are the user's, with the time of their creation. */
    async owned({ ids, userId }: { ids: readonly string[]; userId: string }): Promise<ReadonlyMap<string, string>> {
      const known = JSON.stringify(ids.filter((id) => idFormat.test(id)));
      const rows = await db.read<Pick<ResourceRow, 'id' | 'created_at'>>(
        sql`SELECT id, created_at FROM resources WHERE id IN (SELECT value FROM elements(${known})) AND ${belongsTo(userId)}`,
      );
      return new Map(rows.map(({ id, created_at }) => [id, created_at]));
    },

    list,

    create: (options: CreateOptions) => create({ db, quotas, now }, options),
    update: (options: UpdateOptions) => update({ db, quotas, now }, options),
    destroy: (options: DestroyOptions) => destroy({ db, quotas, now }, options),
    destroyAll: (options: DestroyAllOptions) => destroyAll({ db, quotas, now }, options),
  };
}

/**
 * Returns undefined if the user was deleted. `claim` is a part of the same write. With `created_at`, it existed before.
 */
async function create({ db, quotas, now }: Writes, options: CreateOptions): Promise<CreatedRecord | undefined> {
  const { id, userId, body, claim = () => [] } = options;
  const at = now().toISOString();
  const { created_at = at } = options;
  const modifiedAt = created_at < at ? at : null;
  const created = { id, at: created_at };
  const fields = fieldsOf(body);
  const position = fields.position && notAfter(fields.position, at);
  const row = {
    id,
    user_id: userId,
    ...storedFields({ ...fields, position }),
    located_at: position && (position.positioned_at ?? at),
    track_since: body.keep_track ? at : null,
    values_since: body.keep_values ? at : null,
    created_at,
    modified_at: modifiedAt,
    changed_at: modifiedAt ?? created_at,
    version: 1,
  };
  const written = await db.write([
    body.keep_track ? lockUser(userId) : userExists(userId),
    { sql: (insert ??= insertOf(Object.keys(row))), params: Object.values(row), isPlainInsert: true },
    withinQuota({ userId, kind: 'resources', allowed: quotas.resources }),
    ...keeping(userId, body.keep_track, quotas.tracks),
    ...(body.keep_track ? beginTrack({ id, at, position }) : []),
    ...claim(() => createdText(created)),
  ]);
  if (written.ok) return created;
  if (written.failed === 'too many resources') throw quotaExceeded('resources', quotas);
  if (written.failed === 'too many tracks') throw quotaExceeded('tracks', quotas);
  return undefined;
}

/**
 * Changes only the fields that `change` has. Returns undefined if the row was deleted, has another `version` or
 * `modifiedAt`, or a position that this report does not replace any more.
 * @throws `track.too_many`, `key.invalid` if the account has ended
 */
async function update({ db, quotas, now }: Writes, options: UpdateOptions): Promise<StoredResource | undefined> {
  const { id, userId, change, loggedKey } = options;
  const { keep_track, keep_values } = change;
  const at = now().toISOString();
  const written = await db.write([
    ...(keep_track ? [lockUser(userId)] : []),
    ...(change.name === undefined ? [] : [renamedResource({ at, userId, id, name: change.name })]),
    ...(keep_values === 'time' ? [countTimesFrom({ id, at })] : []),
    { ...updatedRow(options, at), user: userId, orFail: 'changed', isResult: true },
    ...keeping(userId, keep_track, quotas.tracks),
    ...updatedTrack(options, at),
    ...(keep_values === null ? deleteValues(id) : []),
    ...(loggedKey === undefined ? [] : [changedResource({ at, userId, id, keyId: loggedKey })]),
  ]);
  if (!written.ok && written.failed === 'too many tracks') throw quotaExceeded('tracks', quotas);
  if (!written.ok && written.failed === 'no user') throw new Problem('key.invalid');
  return written.ok ? stored(firstRow<OneRow>(written.rows)) : undefined;
}

const beginsTrack = ({ found, change }: UpdateOptions) => change.keep_track === true && !found.record.keep_track;

/** The row with what changes, if it is as it was read. Returns it. */
function updatedRow(options: UpdateOptions, at: string): Sql {
  const { id, userId, found, change, report, version, modifiedAt } = options;
  const begins = beginsTrack(options);
  // A track begins with the position that was read.
  const expected = begins ? (version ?? found.version) : version;
  const guards = {
    id,
    user_id: userId,
    ...(expected !== undefined && { version: expected }),
    ...(modifiedAt !== undefined && { modified_at: modifiedAt }),
  };
  const columns = storedFields(change);
  const set = [
    ...(Object.keys(columns).length > 0 ? [equalities(columns, ', ')] : []),
    ...(change.position === undefined ? [] : [sql`located_at = ${timeOf(report, at)}`]),
    ...(begins ? [sql`track_since = ${at}`] : []),
    ...(change.keep_values ? [sql`values_since = CASE WHEN keep_values IS NULL THEN ${at} ELSE values_since END`] : []),
    raw('version = version + 1'),
  ];
  // The clock may be set back: a change is never earlier than the one before.
  return sql`UPDATE resources SET ${join(set, ', ')},
      modified_at = greatest(changed_at, ${at}), changed_at = greatest(changed_at, ${at})
    WHERE ${allOf([equalities(guards, ' AND '), ...(report ? [stillReplaces(report)] : [])])} RETURNING ${raw(columnsOfOne)}`;
}

/** Its track begins, gets a point, or is deleted. */
function updatedTrack(options: UpdateOptions, at: string): Statement[] {
  const { id, found, change, report } = options;
  const { position, keep_track: keeps = found.record.keep_track } = change;
  if (beginsTrack(options))
    return beginTrack({ id, at, position: position === undefined ? found.record.position : position });
  if (!keeps) return change.keep_track === undefined ? [] : [deleteTrack(id)];
  return position ? appendPoint({ id, at: report?.at ?? at, position }) : [];
}

const unused = sql`NOT EXISTS (SELECT 1 FROM memberships WHERE resource_id = resources.id)
  AND NOT EXISTS (SELECT 1 FROM api_keys WHERE resource_id = resources.id)`;

/** Returns false if it was deleted, has another version, or is used and must not be. */
async function destroy({ db, now }: Writes, { id, userId, version, isUnused }: DestroyOptions): Promise<boolean> {
  const unchanged: Statement<'changed'> = {
    ...sql`SELECT 1 FROM resources WHERE id = ${id} AND user_id = ${userId} AND version = coalesce(${version ?? null}, version)
      AND ${isUnused ? unused : always} FOR UPDATE`,
    user: userId,
    orFail: 'changed',
  };
  const written = await db.write([
    lockSwarmsOf([id]),
    unchanged,
    ...destroyed({ ids: [id], userId, at: now().toISOString() }),
  ]);
  return written.ok;
}

/** Destroys the user's resources among these, in one write. */
async function destroyAll({ db, now }: Writes, { ids, userId }: DestroyAllOptions): Promise<void> {
  if (ids.length === 0) return;
  const locked = sql`SELECT 1 FROM resources WHERE id IN (${listOf(ids)}) AND ${belongsTo(userId)} ORDER BY id FOR UPDATE`;
  await db.write([
    lockSwarmsOf(ids),
    { ...locked, user: userId, rows: ids.length },
    ...destroyed({ ids, userId, at: now().toISOString() }),
  ]);
}

/** Swarms are locked before resources. Until these are locked, they may join another one: its version counts that too. */
export function lockSwarmsOf(ids: readonly string[]): Statement {
  const swarmIds = sql`SELECT swarm_id FROM memberships WHERE resource_id IN (${listOf(ids)})`;
  return sql`SELECT 1 FROM swarms WHERE id IN (${swarmIds}) ORDER BY id FOR UPDATE`;
}

/** The resources are locked. Open invitations are rejected, so that their senders see how they ended. */
function destroyed({ ids, userId, at }: { ids: readonly string[]; userId: string; at: string }): Statement[] {
  const among = sql`IN (${listOf(ids)})`;
  return [
    deletedResources({ at, userId, ids }),
    incrementVersionsOf(ids),
    sql`DELETE FROM resources WHERE id ${among} AND ${belongsTo(userId)}`,
    rejectInvitations({ ids, userId, at }),
  ];
}

/** The open invitations of resources that their owner has no more. */
export const rejectInvitations = ({ ids, userId, at }: { ids: readonly string[]; userId: string; at: string }): Sql =>
  sql`UPDATE invitations SET status = 'rejected', rejected_at = greatest(sent_at, ${at})
    WHERE "to" = ${userId} AND status = 'new' AND resource_id IN (${listOf(ids)})`;

function keeping(userId: string, keeps: boolean | null | undefined, allowed: number) {
  return keeps ? [withinTracks({ userId, allowed })] : [];
}

/** The statement is the same for every resource: all have all columns, in the same order. */
let insert: string | undefined;
const insertOf = (columns: string[]) =>
  `INSERT INTO resources (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;

/** An edit, and what was reported as of now, is never older than the position before: the clock may be set back. */
const timeOf = (report: PositionReport | undefined, at: string): Sql =>
  report?.at === undefined ? sql`greatest(changed_at, ${at})` : sql`${report.at}`;

/** The columns with their values, in one text: a part of SQL for each of them takes 2 µs of each position. */
const equalities = (columns: Record<string, Value>, separator: ', ' | ' AND '): Sql => ({
  sql: Object.keys(columns)
    .map((column, index) => `${column} = $${index + 1}`)
    .join(separator),
  params: Object.values(columns),
});

/** The resource belongs to another user or does not exist. The response does not reveal which. */
export const notYours = (pointer: string): FieldFault => ({
  pointer,
  code: 'resource.not_yours',
  detail: 'is not one of your resources',
});

import type { Resource, ResourceCreate, ResourceUpdate } from '../contract.ts';
import { quotaExceeded } from '../limits/quotas.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import { allOf, firstRow, join, listOf, raw, sql } from '../store/statement.ts';
import type { Sql, Statement, Value } from '../store/statement.ts';
import type { ResourceRow } from '../store/tables.ts';
import { searchText } from '../store/search-text.ts';
import { deletedResources, renamedResource } from './activity.store.ts';
import type { Claim } from './idempotency.store.ts';
import { arrayOf, chunks } from './json-body-stream.ts';
import { chunkSql, readChunk } from './list-chunks.store.ts';
import type { Cursor } from './list-chunks.store.ts';
import type { ResourceRelation } from './policy.ts';
import { nameKey } from './sort-keys.ts';
import { withinQuota } from './usage.store.ts';

/** A whole number is written as one: SQLite would say 10.0. */
const number = (column: string) =>
  `iif(${column} = CAST(${column} AS INTEGER), CAST(${column} AS INTEGER), json_quote(${column}))`;

/** A resource as the spec's JSON, built by the database: fields without a value are absent. */
const json = `'{"id":"' || id || '","user_id":"' || user_id || '","name":' || json_quote(name)
  || ',"machine_type":"' || machine_type || '"'
  || iif(description IS NULL, '', ',"description":' || json_quote(description))
  || iif(longitude IS NULL, '', ',"position":{"longitude":' || ${number('longitude')}
     || ',"latitude":' || ${number('latitude')} || '}')
  || ',"created_at":"' || created_at || '"'
  || iif(modified_at IS NULL, '', ',"modified_at":"' || modified_at || '"') || '}'`;

const selectOne = `SELECT ${json} AS json, version, user_id FROM resources WHERE id = $1`;
const selectChunk = chunkSql({ json, time: 'created_at', id: 'id', from: 'resources', where: 'user_id = $3' });
const selectRelation = `
  SELECT iif(EXISTS (SELECT 1 FROM memberships m JOIN swarms s ON s.id = m.swarm_id
                     WHERE m.resource_id = $1 AND s.user_id = $2), 'swarm_owner',
         iif(EXISTS (SELECT 1 FROM memberships m JOIN swarm_viewers v ON v.swarm_id = m.swarm_id
                     WHERE m.resource_id = $1 AND v.user_id = $2), 'member', 'stranger')) AS relation`;
const insert = `
  INSERT INTO resources (id, user_id, name, machine_type, description, longitude, latitude, created_at, changed_at,
                         version, name_key, name_folded, description_folded)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $8, 1, $9, $10, $11
  WHERE EXISTS (SELECT 1 FROM user WHERE username = $2)`;

export interface StoredResource {
  json: string;
  version: number;
  user_id: string;
}

export interface Resources {
  find(id: string): Promise<StoredResource | undefined>;
  /** Which of these are the user's. */
  owned(options: { ids: readonly string[]; userId: string }): Promise<ReadonlySet<string>>;
  /** What the caller is to this resource, which exists and is not the caller's. */
  relation(options: { id: string; userId: string }): Promise<ResourceRelation>;
  /** The user's, oldest first, as parts of a JSON array. */
  list(userId: string): AsyncIterator<string>;
  /** False: the user is gone. `claim` goes into the same write. */
  create(options: { userId: string; resource: Resource; claim: Claim }): Promise<boolean>;
  /**
   * Changes only the fields that `change` has. `version` and `modifiedAt`: the row must still be there as the
   * caller saw it. Undefined: it is not.
   */
  update(options: UpdateOptions): Promise<StoredResource | undefined>;
  /** False: it is not there (any more), or not in that version. */
  destroy(options: { id: string; userId: string; version: number | undefined }): Promise<boolean>;
  /** Destroys those of the user's resources that are still there, in one write. */
  destroyAll(options: { ids: readonly string[]; userId: string }): Promise<void>;
}

interface UpdateOptions {
  id: string;
  userId: string;
  change: Pick<ResourceUpdate, 'name' | 'machine_type' | 'description' | 'position'>;
  version: number | undefined;
  modifiedAt: string | undefined;
}

/** A new resource's record. */
export function newResource(options: { id: string; userId: string; at: Date; body: ResourceCreate }): Resource {
  const { name, machine_type, description, position } = options.body;
  return {
    id: options.id,
    user_id: options.userId,
    name,
    machine_type,
    ...(description !== undefined && { description }),
    ...(position && { position }),
    created_at: options.at.toISOString(),
  };
}

export function createResources({ db, quotas, now }: { db: Database; quotas: Quotas; now: () => Date }): Resources {
  return {
    async find(id) {
      const [found] = await db.read<StoredResource>({ sql: selectOne, params: [id] });
      return found;
    },

    async owned({ ids, userId }) {
      const select = 'SELECT id FROM resources WHERE user_id = $1 AND id IN (SELECT value FROM json_each($2))';
      const rows = await db.read<Pick<ResourceRow, 'id'>>({ sql: select, params: [userId, JSON.stringify(ids)] });
      return new Set(rows.map(({ id }) => id));
    },

    async relation({ id, userId }) {
      const [found] = await db.read<{ relation: ResourceRelation }>({ sql: selectRelation, params: [id, userId] });
      return found!.relation;
    },

    list: (userId) => arrayOf(chunks<Cursor>((after) => readChunk({ db, sql: selectChunk, params: [userId], after }))),

    async create({ userId, resource, claim }) {
      const { id, name, machine_type, description, position, created_at } = resource;
      const params = [
        ...[id, userId, name, machine_type, description ?? null],
        ...[position?.longitude ?? null, position?.latitude ?? null, created_at],
        ...[nameKey(name), searchText(name), description === undefined ? null : searchText(description)],
      ];
      const written = await db.write([
        { sql: insert, params, expect: 'row' },
        withinQuota({ userId, kind: 'resources', allowed: quotas.resources }),
        ...claim(JSON.stringify(resource)),
      ]);
      if (!written.ok) {
        if (written.failed === 0) return false;
        throw quotaExceeded('resources', quotas);
      }
      return true;
    },

    async update({ id, userId, change, version, modifiedAt }) {
      const at = now().toISOString();
      const guards = {
        id,
        user_id: userId,
        ...(version !== undefined && { version }),
        ...(modifiedAt !== undefined && { modified_at: modifiedAt }),
      };
      const set = [...equalities(columnsOf(change)), raw('version = version + 1')];
      // the clock may step back: a change is never earlier than the one before
      const update = sql`UPDATE resources SET ${join(set, ', ')},
          modified_at = max(changed_at, ${at}), changed_at = max(changed_at, ${at})
        WHERE ${allOf(equalities(guards))} RETURNING ${raw(json)} AS json, version, user_id`;
      const renamed = change.name === undefined ? [] : [renamedResource({ at, userId, id, name: change.name })];
      const written = await db.write([...renamed, { ...update, expect: 'row' }]);
      return written.ok ? firstRow<StoredResource>(written.rows.at(-1)) : undefined;
    },

    async destroy({ id, userId, version }) {
      const unchanged: Statement = {
        sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2 AND version = coalesce($3, version)',
        params: [id, userId, version ?? null],
        expect: 'row',
      };
      const written = await db.write([unchanged, ...destroyed({ ids: [id], userId })]);
      return written.ok;
    },

    async destroyAll(options) {
      if (options.ids.length > 0) await db.write(destroyed(options));
    },
  };

  /** Open invitations of a destroyed resource are rejected, so that their senders see how they ended. */
  function destroyed({ ids, userId }: { ids: readonly string[]; userId: string }): Statement[] {
    const among = sql`IN (${listOf(ids)})`;
    const at = now().toISOString();
    return [
      deletedResources({ at, userId, ids }),
      sql`UPDATE swarms SET version = version + 1
          WHERE id IN (SELECT swarm_id FROM memberships WHERE resource_id ${among})`,
      sql`DELETE FROM resources WHERE user_id = ${userId} AND id ${among}`,
      sql`UPDATE invitations SET status = 'rejected', rejected_at = max(sent_at, ${at})
          WHERE "to" = ${userId} AND status = 'new' AND resource_id ${among}`,
    ];
  }
}

function columnsOf({ name, machine_type, description, position }: UpdateOptions['change']): Record<string, Value> {
  return {
    ...(name !== undefined && { name, name_key: nameKey(name), name_folded: searchText(name) }),
    ...(machine_type !== undefined && { machine_type }),
    ...(description !== undefined && {
      description,
      description_folded: description === null ? null : searchText(description),
    }),
    ...(position !== undefined && { longitude: position?.longitude ?? null, latitude: position?.latitude ?? null }),
  };
}

const equalities = (columns: Record<string, Value>): Sql[] =>
  Object.entries(columns).map(([column, value]) => sql`${raw(column)} = ${value}`);

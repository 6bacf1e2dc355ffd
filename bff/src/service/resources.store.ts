import type { Position, Resource, ResourceCreate, ResourceUpdate } from '../contract.ts';
import type { Database } from '../storage/database.ts';
import type { Statement, Value } from '../storage/statement.ts';
import type { Relation } from './policy.ts';
import { fold, nameKey } from './text-keys.ts';

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

const selectOne = `SELECT ${json} AS json, version, user_id FROM resources WHERE id = ?`;
// the last row of a chunk is its greatest pair: the first part has a fixed length
const selectChunk = `
  SELECT group_concat(json, ',') AS json, max(created_at || id) AS last
  FROM (SELECT ${json} AS json, created_at, id FROM resources
        WHERE user_id = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?)`;
const selectRelation = `
  SELECT iif(EXISTS (SELECT 1 FROM memberships m JOIN swarms s ON s.id = m.swarm_id
                     WHERE m.resource_id = ?1 AND s.user_id = ?2), 'swarm_owner',
         iif(EXISTS (SELECT 1 FROM memberships m JOIN memberships mine ON mine.swarm_id = m.swarm_id
                     JOIN resources r ON r.id = mine.resource_id
                     WHERE m.resource_id = ?1 AND r.user_id = ?2), 'member', 'stranger')) AS relation`;
const insert = `
  INSERT INTO resources (id, user_id, name, machine_type, description, longitude, latitude, created_at, changed_at,
                         version, name_key, name_folded, description_folded)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, 1, ?9, ?10, ?11
  WHERE EXISTS (SELECT 1 FROM user WHERE username = ?2)`;

export interface StoredResource {
  json: string;
  version: number;
  user_id: string;
}

/** Where a list goes on: the last row it had. */
export interface ListCursor {
  created_at: string;
  id: string;
}
export const listStart: ListCursor = { created_at: '', id: '' };
const timestampLength = '2026-01-02T03:04:05.678Z'.length;

export interface Resources {
  find(id: string): StoredResource | undefined;
  /** What the caller is to this resource, which exists and is not the caller's. */
  relation(options: { id: string; userId: string }): Relation;
  /** Up to `size` resources after the cursor, oldest first, as JSON with commas between; undefined: no more. */
  chunk(options: { userId: string; after: ListCursor; size: number }): { json: string; next: ListCursor } | undefined;
  /** False: the user is gone. `claim` goes into the same write. */
  create(options: { userId: string; resource: Resource; claim: Statement[] }): Promise<boolean>;
  /**
   * Changes only the fields that `change` has. `version` and `modifiedAt`: the row must still be there as the
   * caller saw it. Undefined: it is not.
   */
  update(options: UpdateOptions): Promise<StoredResource | undefined>;
  /** False: it is not there (any more), or not in that version. */
  destroy(options: { id: string; userId: string; version: number | undefined }): Promise<boolean>;
  /** The swarms it is in, oldest first, each with its members, as a JSON array. */
  swarms(options: { id: string; baseUrl: string }): Promise<string>;
}

export interface UpdateOptions {
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

/** `changed` is told whose list changed, after the commit and before the answer. */
export function createResources({
  db,
  now,
  changed,
}: {
  db: Database;
  now: () => Date;
  changed: (userId: string) => void;
}): Resources {
  return {
    find: (id) => db.get<StoredResource>(selectOne, id),
    relation: ({ id, userId }) => db.get<{ relation: Relation }>(selectRelation, id, userId)!.relation,

    chunk({ userId, after, size }) {
      const found = db.get<{ json: string | null; last: string }>(
        selectChunk,
        userId,
        after.created_at,
        after.id,
        size,
      );
      if (!found?.json) return undefined;
      const { json, last } = found;
      return { json, next: { created_at: last.slice(0, timestampLength), id: last.slice(timestampLength) } };
    },

    async create({ userId, resource, claim }) {
      const { id, name, machine_type, description, position, created_at } = resource;
      const params = [
        ...[id, userId, name, machine_type, description ?? null],
        ...[position?.longitude ?? null, position?.latitude ?? null, created_at],
        ...[nameKey(name), fold(name), description === undefined ? null : fold(description)],
      ];
      const { ok } = await db.write([{ sql: insert, params, expect: 'row' }, ...claim]);
      if (ok) changed(userId);
      return ok;
    },

    async update({ id, userId, change, version, modifiedAt }) {
      const at = now().toISOString();
      const set = assignments(change);
      const where = ['id = ?', 'user_id = ?'];
      const guards: Value[] = [id, userId];
      if (version !== undefined) (where.push('version = ?'), guards.push(version));
      if (modifiedAt !== undefined) (where.push('modified_at = ?'), guards.push(modifiedAt));
      // the clock may step back: a change is never earlier than the one before
      const sql = `UPDATE resources SET ${[...set.columns.map((column) => `${column} = ?`), 'version = version + 1'].join(', ')},
          modified_at = max(changed_at, ?), changed_at = max(changed_at, ?)
        WHERE ${where.join(' AND ')} RETURNING ${json} AS json, version, user_id`;
      const written = await db.write([{ sql, params: [...set.values, at, at, ...guards], expect: 'row' }]);
      if (!written.ok) return undefined;
      changed(userId);
      return written.rows[0]?.[0] as unknown as StoredResource;
    },

    async destroy({ id, userId, version }) {
      const same = version === undefined ? '' : ' AND version = ?';
      const params: Value[] = version === undefined ? [id, userId] : [id, userId, version];
      const sql = `DELETE FROM resources WHERE id = ? AND user_id = ?${same}`;
      const { ok } = await db.write([{ sql, params, expect: 'row' }]);
      if (ok) changed(userId);
      return ok;
    },

    async swarms({ id, baseUrl }) {
      const rows = await db.query<{ json: string }>(selectSwarms, [id, `${baseUrl}/resources/`]);
      return `[${rows.map((row) => row.json).join(',')}]`;
    },
  };
}

const selectSwarms = `
  SELECT json_object('id', s.id, 'user_id', s.user_id, 'name', s.name, 'description', s.description,
    'created_at', s.created_at, 'public', json(iif(s.public, 'true', 'false')),
    'resources', (SELECT json_group_array(json_object('resource_id', m.resource_id, 'resource_type', m.resource_type,
        'user_id', r.user_id, 'url', ?2 || m.resource_id) ORDER BY m.member_since, m.resource_id)
      FROM memberships m JOIN resources r ON r.id = m.resource_id WHERE m.swarm_id = s.id)) AS json
  FROM memberships own JOIN swarms s ON s.id = own.swarm_id
  WHERE own.resource_id = ?1 ORDER BY s.created_at, s.id`;

function assignments({ name, machine_type, description, position }: UpdateOptions['change']) {
  const columns: Record<string, Value> = {
    ...(name !== undefined && { name, name_key: nameKey(name), name_folded: fold(name) }),
    ...(machine_type !== undefined && { machine_type }),
    ...(description !== undefined && {
      description,
      description_folded: description === null ? null : fold(description),
    }),
    ...(position !== undefined && coordinates(position)),
  };
  return { columns: Object.keys(columns), values: Object.values(columns) };
}

function coordinates(position: Position | null): Record<string, Value> {
  return { longitude: position?.longitude ?? null, latitude: position?.latitude ?? null };
}

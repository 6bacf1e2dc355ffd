import type { ListedMember, MemberRole } from '../contract.ts';
import { quotaExceeded } from '../limits/quotas.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import { firstRow } from '../store/statement.ts';
import type { Row, Statement } from '../store/statement.ts';
import { memberActivity } from './activity.store.ts';
import type { Claim } from './idempotency.store.ts';
import { arrayOf, chunks } from './json-body-stream.ts';
import { chunkSql, readChunk } from './list-chunks.store.ts';
import type { Cursor } from './list-chunks.store.ts';
import { withinSize } from './usage.store.ts';

/** Of a member, in a JSON object. */
export const memberFields = `'resource_id', m.resource_id, 'resource_type', m.resource_type, 'user_id', r.user_id`;
export const ofSwarm = {
  time: 'm.member_since',
  id: 'm.resource_id',
  from: 'memberships m JOIN resources r ON r.id = m.resource_id',
  where: 'm.swarm_id = $3',
};
const member = `json_object(${memberFields}, 'url', $4 || m.resource_id)`;
const listedFields = `${memberFields}, 'url', $4 || m.resource_id, 'member_since', m.member_since`;
const listed = { ...ofSwarm, json: `json_object(${listedFields})` };
const inRole = (role: 'producer' | 'consumer') => `${ofSwarm.where} AND m.resource_type IN ('${role}', 'both')`;
const selectMembers = chunkSql({ ...ofSwarm, json: member });
const selectListed = {
  any: chunkSql(listed),
  producer: chunkSql({ ...listed, where: inRole('producer') }),
  consumer: chunkSql({ ...listed, where: inRole('consumer') }),
};
const selectOne = (json: string) =>
  `SELECT ${json} AS json FROM ${ofSwarm.from} WHERE m.swarm_id = $1 AND m.resource_id = $2`.replaceAll('$4', '$3');
const selectMember = selectOne(member);
const selectListedMember = selectOne(listed.json);
const selectChanged = selectOne(`json_object('swarm_id', m.swarm_id, ${listedFields})`);

/** A swarm's version counts the changes of its members too. */
export const newVersion = (swarmId: string): Statement => ({
  sql: 'UPDATE swarms SET version = version + 1 WHERE id = $1',
  params: [swarmId],
});

export type Members = ReturnType<typeof createMembers>;

/** The members of swarms and their roles. `baseUrl` is where their addresses begin. */
export function createMembers({
  db,
  quotas,
  baseUrl,
  now,
}: {
  db: Database;
  quotas: Quotas;
  baseUrl: string;
  now: () => Date;
}) {
  const urls = `${baseUrl}/resources/`;

  const memberChunks = (sql: string, id: string) =>
    chunks<Cursor>((after) => readChunk({ db, sql, params: [id, urls], after }));

  return {
    /** Of a whole swarm, as the spec's JSON in chunks. */
    inSwarm: (id: string) => memberChunks(selectMembers, id),

    list: ({ id, type }: { id: string; type: 'producer' | 'consumer' | undefined }) =>
      arrayOf(memberChunks(selectListed[type ?? 'any'], id)),

    async find({ id, resourceId }: { id: string; resourceId: string }): Promise<ListedMember | undefined> {
      const [found] = await db.read<{ json: string }>({ sql: selectListedMember, params: [id, resourceId, urls] });
      return found && (JSON.parse(found.json) as ListedMember);
    },

    /** Adds an own resource of the swarm's owner, or gives it the other role as well. The member as JSON. */
    async add(options: {
      swarmId: string;
      resource_id: string;
      resource_type: MemberRole;
      userId: string;
      claim: Claim;
    }): Promise<{ json: string } | 'swarm is gone' | 'no such resource of theirs' | 'holds that role'> {
      const { swarmId, resource_id, resource_type, userId, claim } = options;
      const at = now().toISOString();
      const made = { sql: selectMember, params: [swarmId, resource_id, urls] };
      const joined = insertOwn({ swarmId, resource_id, resource_type, userId, at });
      const written = await db.write([
        { sql: 'SELECT 1 FROM swarms WHERE id = $1 AND user_id = $2', params: [swarmId, userId], expect: 'row' },
        { sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2', params: [resource_id, userId], expect: 'row' },
        { ...joined, sql: `${joined.sql} WHERE resource_type NOT IN (excluded.resource_type, 'both')` },
        withinSize({ swarmId, allowed: quotas.members }),
        newVersion(swarmId),
        memberActivity({
          kind: 'member.added',
          actor: userId,
          at,
          resourceId: resource_id,
          swarmId,
          role: resource_type,
        }),
        ...claim(made),
        made,
      ]);
      if (!written.ok) {
        if (written.failed === 3) throw quotaExceeded('members', quotas);
        return (['swarm is gone', 'no such resource of theirs', 'holds that role'] as const)[written.failed]!;
      }
      return { json: jsonOf(written.rows.at(-1)) };
    },

    /** Sets the role where it still is `from`. False: it is not. */
    async changeRole({
      swarmId,
      resourceId,
      from,
      to,
      actor,
    }: {
      swarmId: string;
      resourceId: string;
      from: MemberRole;
      to: MemberRole;
      actor: string;
    }): Promise<boolean> {
      const at = now().toISOString();
      const written = await db.write([
        {
          sql: 'UPDATE memberships SET resource_type = $1 WHERE swarm_id = $2 AND resource_id = $3 AND resource_type = $4',
          params: [to, swarmId, resourceId, from],
          expect: 'row',
        },
        newVersion(swarmId),
        memberActivity({ kind: 'member.role_changed', actor, at, resourceId, swarmId, role: to }),
      ]);
      return written.ok;
    },

    /** False: it is no member (any more). */
    async remove(removed: { swarmId: string; resourceId: string; role: MemberRole; actor: string }): Promise<boolean> {
      const { swarmId, resourceId, role, actor } = removed;
      const at = now().toISOString();
      const written = await db.write([
        {
          sql: 'DELETE FROM memberships WHERE swarm_id = $1 AND resource_id = $2',
          params: [swarmId, resourceId],
          expect: 'row',
        },
        newVersion(swarmId),
        memberActivity({ kind: 'member.removed', actor, at, resourceId, swarmId, role }),
      ]);
      return written.ok;
    },

    /** The record of the event `membership.changed`; undefined: it is no member any more. */
    async changed(swarmId: string, resourceId: string): Promise<string | undefined> {
      const [found] = await db.read<{ json: string }>({ sql: selectChanged, params: [swarmId, resourceId, urls] });
      return found?.json;
    },
  };
}

/** Of the one row that a statement gave. */
export function jsonOf(rows: readonly Row[] | undefined): string {
  return firstRow<{ json: string }>(rows).json;
}

/** A member that gains the other role becomes both. */
export const gainRole = `ON CONFLICT DO UPDATE
  SET resource_type = iif(resource_type = excluded.resource_type, resource_type, 'both')`;

/** Makes an own resource of a user a member, or gives it the other role as well. */
export function insertOwn(member: {
  swarmId: string;
  resource_id: string;
  resource_type: MemberRole;
  userId: string;
  at: string;
}): Statement {
  // the clock may step back: nobody is a member before there is the swarm, or the resource
  return {
    sql: `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since)
          SELECT s.id, r.id, $2, max($3, s.created_at, r.created_at) FROM resources r JOIN swarms s ON s.id = $1
          WHERE r.id = $4 AND r.user_id = $5 ${gainRole}`,
    params: [member.swarmId, member.resource_type, member.at, member.resource_id, member.userId],
    expect: 'row',
  };
}

import type { MemberRole, NamedItem, SwarmMember } from '../../contract.ts';
import type { Requester } from '../limits/fair-queue.ts';
import type { LongReads } from '../limits/long-reads.ts';
import { quotaExceeded, type Quotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import { firstRow, raw, sql, type Statement } from '../store/statement.ts';
import { incrementVersion } from '../store/swarm-version.ts';
import { isOpen } from '../store/visibility.ts';
import { memberActivity } from '../activity/activity.store.ts';
import type { Claim } from '../endpoint/idempotency.store.ts';
import { chunkSql } from '../endpoint/chunk-sql.ts';
import { arrayOf, textChunkOf, textChunksOf, textChunkSizes, type BytesChunk } from '../endpoint/list-chunks.ts';
import { lockIfAllowed, mayStill } from '../endpoint/write-checks.store.ts';
import { memberChunk, membersBySwarm } from './member-chunk.shape.ts';
import {
  listedMemberOf,
  memberFormat,
  memberOf,
  textsBySwarm,
  type MemberOfSwarm,
  type MemberRow,
  type MembersOfSwarm,
} from './member-json.ts';
import {
  acceptReachedEnds,
  insertOwnMembers,
  removeEnded,
  setShown,
  withdrawLaterEnds,
  withinMemberLimit,
  withinSwarmsOfDevice,
  type Noted,
  type Terms,
} from './member-statements.store.ts';

const ofSwarm = {
  columns: 'm.resource_id, m.resource_type, r.user_id, m.member_since, m.ends_at, m.ends_at_most, m.shown_by_links',
  time: 'm.member_since',
  id: 'm.resource_id',
  from: 'memberships m JOIN resources r ON r.id = m.resource_id',
  where: `m.swarm_id = $3 AND ${isOpen('m')}`,
};
/** The first chunk of a list, and the next ones. */
const chunksWhere = (where: string) => ({
  first: chunkSql({ ...ofSwarm, where, size: textChunkSizes.first }),
  next: chunkSql({ ...ofSwarm, where, size: textChunkSizes.next }),
});
const inRole = (role: 'producer' | 'consumer') =>
  chunksWhere(`${ofSwarm.where} AND m.resource_type IN ('${role}', 'both')`);
const selectMembers = {
  any: chunksWhere(ofSwarm.where),
  producer: inRole('producer'),
  consumer: inRole('consumer'),
};
const selectMember = `SELECT ${ofSwarm.columns} FROM ${ofSwarm.from} WHERE m.swarm_id = $1 AND m.resource_id = $2 AND ${isOpen('m')}`;

const endingPage = 1000;

export type Members = ReturnType<typeof createMembers>;

interface Deps {
  db: Database;
  readsOf: LongReads;
  quotas: Quotas;
  /** Where the addresses of members begin. */
  baseUrl: string;
  now: () => Date;
}

/** The members of swarms and their roles. */
export function createMembers({ db, readsOf, quotas, baseUrl, now }: Deps) {
  const urls = `${baseUrl}/resources/`;

  /** In parts, as JSON. `requester`: who reads them, in turns with others. Undefined: the server, for its events. */
  function list({
    id,
    type,
    requester,
    ...options
  }: {
    id: string;
    type?: 'producer' | 'consumer' | undefined;
    viewer?: string;
    requester: Requester | undefined;
  }) {
    const { first, next } = selectMembers[type ?? 'any'];
    const reads = requester === undefined ? db : readsOf(requester);
    const format = { urls, ...options };
    return textChunksOf({
      async first() {
        const rows = await db.read<MemberRow>({ sql: first, params: ['', '', id] });
        return textChunkOf(rows, memberFormat(format));
      },
      async next(after) {
        const shape = memberChunk(format);
        const [chunk] = await reads.read<BytesChunk>({ sql: next, params: [...after, id], shape });
        return chunk!;
      },
    });
  }

  return {
    memberOf: ({
      ends_at = null,
      ends_at_most = null,
      ...row
    }: Pick<MemberRow, 'resource_id' | 'resource_type' | 'user_id'> & Partial<MemberRow>) =>
      memberOf(urls, { ...row, ends_at, ends_at_most }),

    /** `viewer`: as for `listedMemberOf`. */
    async find({ id, resourceId, viewer = '' }: { id: string; resourceId: string; viewer?: string }) {
      const [found] = await db.read<MemberRow>({ sql: selectMember, params: [id, resourceId] });
      return found && listedMemberOf(urls, found, viewer);
    },

    /** The member with its ends of now, and with the role that it got: a request that is repeated is answered with the same one. */
    async joined(member: {
      swarmId: string;
      resourceId: string;
      role: MemberRole;
      userId: string;
    }): Promise<SwarmMember> {
      const { swarmId, resourceId: resource_id, role: resource_type, userId: user_id } = member;
      const [found] = await db.read<MemberRow>({ sql: selectMember, params: [swarmId, resource_id] });
      const { ends_at = null, ends_at_most = null } = found ?? {};
      return memberOf(urls, { resource_id, resource_type, user_id, ends_at, ends_at_most });
    },

    /** The roles of the user's resources in the user's swarm, null for those that are no members, and whether links show these. */
    async ownRoles(options: { swarmId: string; userId: string; ids: readonly string[] }) {
      const { swarmId, userId, ids } = options;
      const rows = await db.read<{ id: string; owner: string; role: MemberRole | null; shown: number | null }>({
        // The owner is compared below: as a condition, SQLite would read all resources of the user.
        sql: `SELECT r.id, r.user_id AS owner, m.resource_type AS role, m.shown_by_links AS shown
              FROM resources r JOIN swarms s ON s.id = $1 AND s.user_id = $2
              LEFT JOIN memberships m ON m.swarm_id = s.id AND m.resource_id = r.id AND ${isOpen('m')}
              WHERE r.id IN (SELECT value FROM elements($3))`,
        params: [swarmId, userId, JSON.stringify(ids)],
      });
      const own = rows.filter(({ owner }) => owner === userId);
      return new Map(
        own.map(({ id, role, shown }) => [
          id,
          { resource_type: role, ...(shown !== null && { shown_by_links: shown === 1 }) },
        ]),
      );
    },

    /** The user's members of the swarm that end at this time, in pages. */
    async *ownEnding({ userId, swarmId, endsAt }: Record<'userId' | 'swarmId' | 'endsAt', string>) {
      for (let page: NamedItem[] | undefined, after = ''; page === undefined || page.length === endingPage;) {
        page = await db.read<NamedItem>({
          sql: `SELECT r.id, r.name FROM memberships m JOIN resources r ON r.id = m.resource_id
                WHERE m.swarm_id = $1 AND m.ends_at = $2 AND r.user_id = $3 AND r.id > $4 AND ${isOpen('m')}
                ORDER BY r.id LIMIT ${endingPage}`,
          params: [swarmId, endsAt, userId, after],
          isLong: true,
        });
        after = page.at(-1)?.id ?? '';
        yield page;
      }
    },

    /** The roles of these resources in swarms of the user. */
    rolesInOwn: ({ userId, ids }: { userId: string; ids: readonly string[] }) =>
      db.read<Omit<MemberRow, 'user_id' | 'member_since'> & { swarm_id: string }>({
        sql: `SELECT m.resource_id, m.swarm_id, m.resource_type, m.ends_at, m.ends_at_most, m.shown_by_links
              FROM memberships m JOIN swarms s ON s.id = m.swarm_id AND s.user_id = $1
              WHERE m.resource_id IN (SELECT value FROM elements($2)) AND ${isOpen('m')}`,
        params: [userId, JSON.stringify(ids)],
      }),

    /** All members of a swarm, in chunks of JSON. */
    inSwarm: (id: string, requester?: Requester) => list({ id, requester }),
    /**
     * All members of these swarms, or this one of them, as the items of a JSON array, by the id of the swarm. They are read at once:
     * few. `count`: about how many there are. `requester`: who reads them, in turns with others if they are not very few.
     */
    async ofSwarms(options: {
      ids: readonly string[];
      count: number;
      requester: Requester;
      only?: string | undefined;
    }) {
      const { ids, count, requester, only } = options;
      const query = {
        sql: `SELECT m.swarm_id, ${ofSwarm.columns} FROM elements($1) wanted
              JOIN /*in this order*/ memberships m ON m.swarm_id = wanted.value AND ${isOpen('m')}
              JOIN /*in this order*/ resources r ON r.id = m.resource_id
              ${only === undefined ? '' : 'WHERE m.resource_id = $2'} ORDER BY m.swarm_id, m.member_since, m.resource_id`,
        params: [JSON.stringify(ids), ...(only === undefined ? [] : [only])],
      };
      const texts =
        count <= textChunkSizes.first
          ? textsBySwarm(await db.read<MemberOfSwarm>(query), urls)
          : await readsOf(requester).read<MembersOfSwarm>({ ...query, shape: membersBySwarm({ urls }) });
      return new Map(texts.map(({ id, text }) => [id, text]));
    },
    /** One member, in the same form. */
    async *oneInSwarm({ id, resourceId }: { id: string; resourceId: string }) {
      const [found] = await db.read<MemberRow>({ sql: selectMember, params: [id, resourceId] });
      if (found) yield JSON.stringify(memberOf(urls, found));
    },

    list: (listed: { id: string; type: 'producer' | 'consumer' | undefined; requester: Requester }) =>
      arrayOf(list({ ...listed, viewer: listed.requester.user })),

    add: (added: AddedMember) => add({ db, quotas, now }, added),
    change: (changed: ChangedMember) => change({ db, now }, changed),
    remove: (removed: RemovedMember) => remove({ db, now }, removed),
  };
}

type Writes = Omit<Deps, 'baseUrl' | 'quotas' | 'readsOf'>;

/** What changes of a member; the rest stays as it is. */
interface ChangedMember {
  swarmId: string;
  resourceId: string;
  /** The owner of the resource. */
  owner: string;
  actor: string;
  /** Its role as it was read, and the new one. */
  was: MemberRole;
  role?: MemberRole | undefined;
  /** Null: no end. `most`: the owner of the resource may not set a later one. */
  end?: { from: string | null; to: string | null; most: string | null } | undefined;
  /** Whether links of the swarm may show it from now on. */
  shown?: boolean | undefined;
}

/**
 * Changes a member, all of it or nothing. Returns false if it has left, its role or its end has changed since it was read, the resource
 * has another owner, or the actor may not.
 */
async function change({ db, now }: Writes, changed: ChangedMember): Promise<boolean> {
  const { swarmId, resourceId, owner, actor, was, role, end, shown } = changed;
  const noted = { swarmId, resourceId, actor, at: now().toISOString() };
  const written = await db.write([
    incrementVersion(swarmId),
    mayStill({ operation: 'updateMember', swarmId, userId: actor, about: owner }),
    isStillOf({ resourceId, owner }),
    {
      ...sql`SELECT 1 FROM memberships WHERE swarm_id = ${swarmId} AND resource_id = ${resourceId} AND resource_type = ${was}
        AND ${raw(isOpen('memberships'))} FOR UPDATE`,
      orFail: 'other role',
    },
    // Before the end, which accepts what was offered for the roles that are left.
    ...(role ? setRole({ ...noted, from: was, to: role }) : []),
    ...(end ? setEnd({ ...noted, ...end }) : []),
    ...setShown({ ...noted, to: shown }),
  ]);
  return written.ok;
}

function setRole({ from, to, ...noted }: Noted & { from: MemberRole; to: MemberRole }): Statement[] {
  const { swarmId, resourceId } = noted;
  const lost = to === 'producer' ? 'consumer' : 'producer';
  return [
    {
      sql: 'UPDATE memberships SET resource_type = $1 WHERE swarm_id = $2 AND resource_id = $3',
      params: [to, swarmId, resourceId],
    },
    ...(from === 'both' ? [withdrawLaterEnds({ swarmId, resourceId, lost })] : []),
    memberActivity({ kind: 'member.role_changed', ...noted, detail: to }),
  ];
}

function setEnd(
  changed: Noted & { from: string | null; to: string | null; most: string | null },
): Statement<'other end'>[] {
  const { from, to, most, ...noted } = changed;
  const { swarmId, resourceId, at } = noted;
  return [
    {
      sql: `UPDATE memberships SET ends_at = $1, ends_at_most = $2 WHERE swarm_id = $3 AND resource_id = $4
              AND ends_at IS NOT DISTINCT FROM $5 AND ${isOpen('memberships')}`,
      params: [to, most, swarmId, resourceId, from],
      orFail: 'other end',
    },
    acceptReachedEnds({ swarmId, resourceId, at }),
    memberActivity({ kind: 'member.end_changed', ...noted, detail: to }),
  ];
}

interface RemovedMember {
  swarmId: string;
  resourceId: string;
  /** The owner of the resource. */
  owner: string;
  role: MemberRole;
  actor: string;
}

/** Returns false if it is not a member with exactly this role, or the actor may not. */
async function remove({ db, now }: Writes, removed: RemovedMember): Promise<boolean> {
  const { swarmId, resourceId, owner, role, actor } = removed;
  const at = now().toISOString();
  const written = await db.write([
    incrementVersion(swarmId),
    mayStill({ operation: 'removeMember', swarmId, userId: actor, about: owner }),
    isStillOf({ resourceId, owner }),
    {
      sql: 'DELETE FROM memberships WHERE swarm_id = $1 AND resource_id = $2 AND resource_type = $3',
      params: [swarmId, resourceId, role],
      orFail: 'other role',
    },
    withdrawLaterEnds({ swarmId, resourceId, lost: role }),
    memberActivity({ kind: 'member.removed', actor, at, resourceId, swarmId, detail: role }),
  ]);
  return written.ok;
}

interface AddedMember {
  swarmId: string;
  resource_id: string;
  resource_type: MemberRole;
  terms?: Terms | undefined;
  userId: string;
  claim: Claim;
}

/** Adds an own resource of the swarm's owner, or gives it the other role as well. Returns the role that the member has now. */
async function add(
  { db, quotas, now }: Omit<Deps, 'baseUrl' | 'readsOf'>,
  added: AddedMember,
): Promise<{ role: MemberRole } | 'not allowed' | 'no resource' | 'has role'> {
  const { swarmId, resource_id, resource_type, terms, userId, claim } = added;
  const at = now().toISOString();
  const role = sql`SELECT resource_type FROM memberships WHERE swarm_id = ${swarmId} AND resource_id = ${resource_id}`;
  const isShown = terms?.shown_by_links === undefined ? undefined : terms.shown_by_links === 1;
  const joined = insertOwnMembers({ swarmId, ids: [resource_id], role: resource_type, terms, userId, at });
  const written = await db.write([
    ...lockIfAllowed({ operation: 'addMember', swarmId, userId }),
    {
      sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2 FOR UPDATE',
      params: [resource_id, userId],
      orFail: 'no resource',
    },
    removeEnded({ swarmId, resourceId: resource_id }),
    withinSwarmsOfDevice({ ids: [resource_id], swarmId, allowed: quotas.swarms_of_device }),
    {
      ...joined,
      sql: `${joined.sql} WHERE memberships.resource_type NOT IN (excluded.resource_type, 'both')`,
      orFail: 'has role',
    },
    withinMemberLimit({ swarmId, allowed: quotas.members }),
    incrementVersion(swarmId),
    memberActivity({
      kind: 'member.added',
      actor: userId,
      at,
      resourceId: resource_id,
      swarmId,
      detail: resource_type,
    }),
    ...setShown({ swarmId, resourceId: resource_id, actor: userId, to: isShown, at }),
    ...claim(() => role),
    { ...role, isResult: true },
  ]);
  if (written.ok) return { role: firstRow<Pick<MemberRow, 'resource_type'>>(written.rows).resource_type };
  if (written.failed === 'too many members') throw quotaExceeded('members', quotas);
  if (written.failed === 'too many swarms of device') throw quotaExceeded('swarms_of_device', quotas);
  return written.failed;
}

/** Rejects a write if the resource was handed over since it was read. */
const isStillOf = ({ resourceId, owner }: { resourceId: string; owner: string }): Statement<'other role'> => ({
  ...sql`SELECT 1 FROM resources WHERE id = ${resourceId} AND user_id = ${owner}`,
  orFail: 'other role',
});

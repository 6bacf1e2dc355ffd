import type { MemberRole, NamedItem, SwarmMember } from '../../contract.ts';
import type { LongReads } from '../../limits/long-reads.ts';
import { quotaExceeded, type Quotas } from '../../limits/quotas.ts';
import type { Database } from '../../store/database.ts';
import { isOfEitherRole } from '../../store/invitation-record.ts';
import { firstRow, raw, sql, type Statement } from '../../store/statement.ts';
import { incrementVersion } from '../../store/swarm-version.ts';
import { isOpen } from '../../store/visibility.ts';
import { memberActivity } from '../activity/activity.store.ts';
import type { Claim } from '../endpoint/idempotency.store.ts';
import {
  arrayOf,
  chunkSql,
  textChunkOf,
  textChunksOf,
  textChunkSizes,
  type BytesChunk,
} from '../endpoint/list-chunks.store.ts';
import { lockIfAllowed, mayStill } from '../endpoint/write-checks.store.ts';
import { earlierOf, laterOf } from './consent-ends.ts';
import { memberChunk } from './member-chunk.shape.ts';
import { listedMemberOf, memberFormat, memberOf, type MemberRow } from './member-json.ts';

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

/**
 * Rejects a write that leaves this swarm with more members than `allowed`. It comes after the inserts of the same write: the triggers of
 * `memberships` (store/schema/triggers/memberships.ts) have counted them.
 */
export function withinMemberLimit({
  swarmId,
  allowed,
}: {
  swarmId: string;
  allowed: number;
}): Statement<'too many members'> {
  return {
    sql: 'SELECT 1 FROM swarm_sizes WHERE swarm_id = $1 AND members <= $2',
    params: [swarmId, allowed],
    orFail: 'too many members',
  };
}

/**
 * Rejects a write that adds resources to a swarm beyond the quota of swarms of a resource. One that is in more of them stays
 * there. The resources are locked, so that none joins another swarm meanwhile; it comes before the inserts of the same write.
 */
export function withinSwarmsOfDevice(added: {
  ids: readonly string[];
  swarmId: string;
  allowed: number;
}): Statement<'too many swarms of device'> {
  return {
    sql: `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM elements($1) added WHERE
            (SELECT count(*) FROM memberships WHERE resource_id = added.value) >= $3 AND NOT EXISTS
              (SELECT 1 FROM memberships WHERE resource_id = added.value AND swarm_id = $2))`,
    params: [JSON.stringify(added.ids), added.swarmId, added.allowed],
    orFail: 'too many swarms of device',
  };
}

export type Members = ReturnType<typeof createMembers>;

/** The members of swarms and their roles. `baseUrl` is where their addresses begin. */
interface Parts {
  db: Database;
  readsOf: LongReads;
  quotas: Quotas;
  baseUrl: string;
  now: () => Date;
}

export function createMembers({ db, readsOf, quotas, baseUrl, now }: Parts) {
  const urls = `${baseUrl}/resources/`;

  /** In parts, as JSON. `user`: who reads them, in turns with others. Undefined: the server, for its events. */
  function list({
    id,
    type,
    user,
    ...options
  }: {
    id: string;
    type?: 'producer' | 'consumer' | undefined;
    viewer?: string;
    user: string | undefined;
  }) {
    const { first, next } = selectMembers[type ?? 'any'];
    const reads = user === undefined ? db : readsOf({ user });
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
    inSwarm: (id: string, user?: string) => list({ id, user }),
    /** All members of these swarms, or this one of them, by the id of the swarm. They are read at once: few. */
    async ofSwarms({ ids, only }: { ids: readonly string[]; only?: string | undefined }) {
      const rows = await db.read<MemberRow & { swarm_id: string }>({
        sql: `SELECT m.swarm_id, ${ofSwarm.columns} FROM elements($1) wanted
              JOIN /*in this order*/ memberships m ON m.swarm_id = wanted.value AND ${isOpen('m')}
              JOIN /*in this order*/ resources r ON r.id = m.resource_id
              ${only === undefined ? '' : 'WHERE m.resource_id = $2'} ORDER BY m.swarm_id, m.member_since, m.resource_id`,
        params: [JSON.stringify(ids), ...(only === undefined ? [] : [only])],
      });
      const bySwarm = Map.groupBy(rows, ({ swarm_id }) => swarm_id);
      return (id: string): SwarmMember[] => (bySwarm.get(id) ?? []).map((row) => memberOf(urls, row));
    },
    /** One member, in the same form. */
    async *one({ id, resourceId }: { id: string; resourceId: string }) {
      const [found] = await db.read<MemberRow>({ sql: selectMember, params: [id, resourceId] });
      if (found) yield JSON.stringify(memberOf(urls, found));
    },

    list: (listed: { id: string; type: 'producer' | 'consumer' | undefined; viewer: string }) =>
      arrayOf(list({ ...listed, user: listed.viewer })),

    add: (added: AddedMember) => add({ db, quotas, now }, added),
    change: (changed: ChangedMember) => change({ db, now }, changed),
    remove: (removed: RemovedMember) => remove({ db, now }, removed),
  };
}

type Writes = Omit<Parts, 'baseUrl' | 'quotas' | 'readsOf'>;

/** What changes of a member; the rest stays as it is. */
interface ChangedMember {
  swarmId: string;
  resourceId: string;
  /** The owner of the resource. */
  owner: string;
  actor: string;
  role?: { from: MemberRole; to: MemberRole } | undefined;
  /** Null: no end. `most`: the owner of the resource may not set a later one. */
  end?: { from: string | null; to: string | null; most: string | null } | undefined;
  /** Whether links of the swarm may show it from now on. */
  shown?: boolean | undefined;
}

/**
 * Changes a member, all of it or nothing. Returns false if its role or its end is not `from`, the resource has another owner, or the
 * actor may not.
 */
async function change({ db, now }: Writes, changed: ChangedMember): Promise<boolean> {
  const { swarmId, resourceId, owner, actor, role, end, shown } = changed;
  const noted = { swarmId, resourceId, actor, at: now().toISOString() };
  const written = await db.write([
    incrementVersion(swarmId),
    mayStill({ operation: 'updateMember', swarmId, userId: actor, about: owner }),
    isStillOf({ resourceId, owner }),
    ...(end ? setEnd({ ...noted, ...end }) : []),
    ...(role ? setRole({ ...noted, ...role }) : []),
    ...setShown({ ...noted, to: shown }),
  ]);
  return written.ok;
}

/** Who changes a member, and when. */
type Noted = Record<'swarmId' | 'resourceId' | 'actor' | 'at', string>;

function setRole({ from, to, ...noted }: Noted & { from: MemberRole; to: MemberRole }): Statement<'other role'>[] {
  const { swarmId, resourceId } = noted;
  const lost = to === 'producer' ? 'consumer' : 'producer';
  return [
    {
      sql: 'UPDATE memberships SET resource_type = $1 WHERE swarm_id = $2 AND resource_id = $3 AND resource_type = $4',
      params: [to, swarmId, resourceId, from],
      orFail: 'other role',
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

/**
 * Lets links of the swarm show a member, or not any more, and notes it if that is a change. Undefined: it stays as it is. After the insert
 * of a member, which sets it, it is for one that had the other role before.
 */
export function setShown({ to, ...noted }: Noted & { to: boolean | undefined }): Statement[] {
  if (to === undefined) return [];
  const shown = to ? 1 : 0;
  const member = sql`swarm_id = ${noted.swarmId} AND resource_id = ${noted.resourceId}`;
  const isOther = `shown_by_links <> ${shown} AND ${isOpen('memberships')}`;
  return [
    memberActivity({
      kind: to ? 'member.shown' : 'member.hidden',
      ...noted,
      detail: null,
      where: sql`EXISTS (SELECT 1 FROM memberships WHERE ${member} AND ${raw(isOther)})`,
    }),
    sql`UPDATE memberships SET shown_by_links = ${shown} WHERE ${member} AND ${raw(isOther)}`,
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

// An open invitation for a role that the resource has offers a later end of its membership.

/** A later end that was offered needs no answer any more when the membership lasts as long. It comes after the change of the end. */
export const acceptReachedEnds = ({
  at,
  swarmId,
  resourceId,
}: Record<'at' | 'swarmId' | 'resourceId', string>): Statement => ({
  sql: `UPDATE invitations SET status = 'accepted', accepted_at = greatest(sent_at, $1)
        WHERE swarm_id = $2 AND resource_id = $3 AND status = 'new' AND ${isOfEitherRole} AND EXISTS (
          SELECT 1 FROM memberships m WHERE m.swarm_id = $2 AND m.resource_id = $3
            AND m.resource_type IN (invitations.resource_type, 'both') AND (m.ends_at IS NULL OR m.ends_at >= invitations.ends_at))`,
  params: [at, swarmId, resourceId],
});

/** A resource that loses a role, or both, cannot come back by the later end that was offered for it. */
const withdrawLaterEnds = (of: { swarmId: string; resourceId: string; lost: MemberRole }): Statement => ({
  sql: `DELETE FROM invitations WHERE swarm_id = $1 AND resource_id = $2 AND status = 'new' AND $3 IN (resource_type, 'both')`,
  params: [of.swarmId, of.resourceId, of.lost],
});

/** What the owner of a device agrees to. Null: no end. */
type Terms = Partial<Pick<MemberRow, 'ends_at' | 'ends_at_most' | 'shown_by_links'>>;

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
  { db, quotas, now }: Omit<Parts, 'baseUrl' | 'readsOf'>,
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

/**
 * SQL: the end of a member that gains the other role, and the latest one that its owner may choose. A member has one end, for both roles:
 * the one that is accepted with the new role. What names none changes none, except that who accepts an invitation may choose an earlier one.
 * An invitation also offers later ends to a member that has the role.
 */
const endsOf = {
  invitation: {
    ends: `CASE WHEN excluded.ends_at_most IS NULL THEN ${earlierOf('memberships.ends_at', 'excluded.ends_at')} ELSE excluded.ends_at END`,
    most: `CASE WHEN excluded.ends_at_most IS NULL THEN memberships.ends_at_most
      WHEN memberships.resource_type IN (excluded.resource_type, 'both') THEN ${laterOf('memberships.ends_at_most', 'excluded.ends_at_most')}
      ELSE excluded.ends_at_most END`,
  },
  // The owner of the swarm has read the end that is asked for.
  request: {
    ends: 'coalesce(excluded.ends_at, memberships.ends_at)',
    most: `CASE WHEN memberships.ends_at_most < excluded.ends_at THEN excluded.ends_at ELSE memberships.ends_at_most END`,
  },
  // Not after the latest end, which the owner of the swarm may have set meanwhile.
  link: {
    ends: `CASE WHEN memberships.ends_at_most < excluded.ends_at THEN memberships.ends_at_most
      ELSE coalesce(excluded.ends_at, memberships.ends_at) END`,
    most: 'memberships.ends_at_most',
  },
};
/** How a resource joins. */
export type JoinedBy = keyof typeof endsOf;

/**
 * SQL: inserts members, with how many devices receive then, which their owners are shown later. `from`: what follows FROM. The others
 * are expressions of its rows. A member that gains the other role becomes both.
 */
export function insertMembers(
  of: Record<'swarm' | 'resource' | 'role' | 'since' | 'endsAt' | 'endsAtMost' | 'isShown' | 'from', string> & {
    by?: JoinedBy;
  },
): string {
  const { ends, most } = endsOf[of.by ?? 'link'];
  return `INSERT INTO memberships
    (swarm_id, resource_id, resource_type, member_since, receivers_then, ends_at, ends_at_most, shown_by_links)
  SELECT ${of.swarm}, ${of.resource}, ${of.role}, ${of.since},
    coalesce((SELECT size.consumers FROM swarm_sizes size WHERE size.swarm_id = ${of.swarm}), 0),
    ${of.endsAt}, ${of.endsAtMost}, CAST(${of.isShown} AS bigint)
  FROM ${of.from}
  ON CONFLICT (swarm_id, resource_id) DO UPDATE SET resource_type =
      CASE WHEN memberships.resource_type = excluded.resource_type THEN excluded.resource_type ELSE 'both' END,
    ends_at = ${ends}, ends_at_most = ${most}`;
}

/** A membership that has ended and is not deleted yet gives its place to a new one. */
export const removeEnded = ({ swarmId, resourceId }: Record<'swarmId' | 'resourceId', string>): Statement => ({
  sql: 'DELETE FROM memberships WHERE swarm_id = $1 AND resource_id = $2 AND ends_at <= time_now()',
  params: [swarmId, resourceId],
});

/** Makes those of these resources members that are the user's, or gives them the other role as well. */
export function insertOwnMembers(members: {
  swarmId: string;
  /** None occurs twice. */
  ids: readonly string[];
  role: MemberRole;
  terms?: Terms | undefined;
  userId: string;
  at: string;
}): Statement<'no resource'> {
  const { swarmId, ids, role, terms = {}, userId, at } = members;
  const { ends_at = null, ends_at_most = null, shown_by_links = 0 } = terms;
  // The clock may step back: a membership does not begin before its swarm or its resource was created.
  return {
    sql: insertMembers({
      swarm: 's.id',
      resource: 'r.id',
      role: '$2',
      since: 'greatest($3, s.created_at, r.created_at)',
      endsAt: '$6',
      endsAtMost: '$7',
      isShown: '$8',
      from: `elements($4) added JOIN /*in this order*/ resources r ON r.id = added.value
        JOIN /*in this order*/ swarms s ON s.id = $1 WHERE r.user_id = $5 FOR SHARE OF r`,
    }),
    params: [swarmId, role, at, JSON.stringify(ids), userId, ends_at, ends_at_most, shown_by_links],
    orFail: 'no resource',
    rows: ids.length,
  };
}

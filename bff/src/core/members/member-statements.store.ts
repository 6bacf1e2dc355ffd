/** Statements of the writes by which resources become members, change and leave. */
import type { MemberRole } from '../../contract.ts';
import { isOfEitherRole } from '../store/invitation-record.ts';
import { raw, sql, type Statement } from '../store/statement.ts';
import { isOpen } from '../store/visibility.ts';
import { memberActivity } from '../activity/activity.store.ts';
import { endsOfMember, type JoinedBy } from './consent-ends.ts';
import type { MemberRow } from './member-json.ts';

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

/** Who changes a member, and when. */
export type Noted = Record<'swarmId' | 'resourceId' | 'actor' | 'at', string>;

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

/** A later end that was offered, by an open invitation for a role that the resource has, needs no answer any more when the membership lasts as long. It comes after the change of the end. */
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
export const withdrawLaterEnds = (member: { swarmId: string; resourceId: string; lost: MemberRole }): Statement => ({
  sql: `DELETE FROM invitations WHERE swarm_id = $1 AND resource_id = $2 AND status = 'new' AND $3 IN (resource_type, 'both')`,
  params: [member.swarmId, member.resourceId, member.lost],
});

/** What the owner of a device agrees to. Null: no end. */
export type Terms = Partial<Pick<MemberRow, 'ends_at' | 'ends_at_most' | 'shown_by_links'>>;

/**
 * SQL: inserts members, with how many devices receive then, which their owners are shown later. `from`: what follows FROM. The others
 * are expressions of its rows. A member that gains the other role becomes both.
 */
export function insertMembers(
  columns: Record<'swarm' | 'resource' | 'role' | 'since' | 'endsAt' | 'endsAtMost' | 'isShown' | 'from', string> & {
    joinedBy: JoinedBy;
  },
): string {
  const { end, latest } = endsOfMember[columns.joinedBy];
  return `INSERT INTO memberships
    (swarm_id, resource_id, resource_type, member_since, receivers_then, ends_at, ends_at_most, shown_by_links)
  SELECT ${columns.swarm}, ${columns.resource}, ${columns.role}, ${columns.since},
    coalesce((SELECT size.consumers FROM swarm_sizes size WHERE size.swarm_id = ${columns.swarm}), 0),
    ${columns.endsAt}, ${columns.endsAtMost}, CAST(${columns.isShown} AS bigint)
  FROM ${columns.from}
  ON CONFLICT (swarm_id, resource_id) DO UPDATE SET resource_type =
      CASE WHEN memberships.resource_type = excluded.resource_type THEN excluded.resource_type ELSE 'both' END,
    ends_at = ${end}, ends_at_most = ${latest}`;
}

/** A membership that has ended and is not deleted yet gives its place to a new one. */
export const removeEnded = ({ swarmId, resourceId }: Record<'swarmId' | 'resourceId', string>): Statement => ({
  sql: 'DELETE FROM memberships WHERE swarm_id = $1 AND resource_id = $2 AND ends_at <= time_now()',
  params: [swarmId, resourceId],
});

/** Makes the resources that are the user's members, or adds the other role to those that have one. */
export function insertOwnMembers(members: {
  swarmId: string;
  /** Without duplicates. */
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
      joinedBy: 'link',
      from: `elements($4) added JOIN /*in this order*/ resources r ON r.id = added.value
        JOIN /*in this order*/ swarms s ON s.id = $1 WHERE r.user_id = $5 FOR SHARE OF r`,
    }),
    params: [swarmId, role, at, JSON.stringify(ids), userId, ends_at, ends_at_most, shown_by_links],
    orFail: 'no resource',
    rows: ids.length,
  };
}

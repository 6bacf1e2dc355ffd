/** Answers to invitations, and what else makes a resource a member: a link and an accepted request accept an invitation. */
import type { Invitation, InvitationRole, MemberRole } from '../../contract.ts';
import { invitationLimits } from '../limits/part-limits.ts';
import { quotaExceeded, type Quotas } from '../limits/quotas.ts';
import { invitationOf } from '../store/invitation-record.ts';
import { firstRow, raw, sql, type Sql, type Statement } from '../store/statement.ts';
import type { InvitationRow } from '../store/row-types.ts';
import { invitationActivity, memberActivity, offersEnd } from '../activity/activity.store.ts';
import type { Claim } from '../endpoint/idempotency.store.ts';
import {
  acceptReachedEnds,
  insertMembers,
  removeEnded,
  setShown,
  withinMemberLimit,
  withinSwarmsOfDevice,
} from '../members/member-statements.store.ts';
import { incrementVersion } from '../store/swarm-version.ts';
import { isOpen } from '../store/visibility.ts';
import { earlierEnd, type JoinedBy } from '../members/consent-ends.ts';
import { columns, deletedAtOnce, type Deps, type Row } from './invitation-row.ts';
import { sending } from './send-invitation.store.ts';

/** The role of a member who has all of these. */
const asRole = (roles: readonly { role: InvitationRole }[]): MemberRole => (roles.length > 1 ? 'both' : roles[0]!.role);

type Answered = Pick<InvitationRow, 'id' | 'to' | 'swarm_id' | 'resource_id' | 'resource_type'>;

/** The failures of a write by which a resource joins a swarm. */
type TooMany = 'too many members' | 'too many swarms of device';
const isTooMany = (failed: string): failed is TooMany => failed.startsWith('too many ');

/** An open invitation as it was read. */
type Offered = Answered & Pick<Invitation, 'ends_at'>;

export interface Answer {
  /** The end that the user chooses. It is not later than the one that is offered. */
  endsAt?: string | undefined;
  /** Whether links of the swarm may show the device. Undefined: as before. */
  isShown?: boolean | undefined;
  answered: readonly [Offered, ...Offered[]];
  status: 'accept' | 'reject';
}

/**
 * Writes the answer to one or both invitations of a resource to a swarm, and the membership. Returns the first one, or
 * undefined if one is not new, is accepted with another end than was read, or does not exist.
 */
export async function writeAnswer(
  { db, quotas, now }: Deps,
  { answered: [first, ...others], status, endsAt, isShown }: Answer,
): Promise<Invitation | undefined> {
  const at = now().toISOString();
  const { swarm_id, resource_id } = first;
  const answerTo = (invitation: Offered) =>
    status === 'accept' ? acceptAsRead({ invitation, at, endsAt, isShown }, quotas) : reject({ invitation, at });
  const [answer, ...rest] = answerTo(first);
  const statements = [{ ...answer, isResult: true as const }, ...rest, ...others.flatMap(answerTo)];
  const written = await db.write(
    status === 'accept' ? joinStatements({ swarmId: swarm_id, resourceId: resource_id, at }, statements) : statements,
  );
  if (written.ok) return invitationOf(firstRow<Row>(written.rows));
  if (isTooMany(written.failed)) throw tooMany(written.failed, quotas);
  return undefined;
}

export interface Joining {
  /** Undefined for a request, which notes the acceptance itself. */
  linkId?: string;
  /** Statements of the link or the request, which fail the write if it cannot be used any more. */
  conditions: readonly Statement<'no link' | 'not allowed' | 'not new'>[];
  /** Who has accepted the request; null for a link. */
  sentBy: string | null;
  swarmId: string;
  from: string;
  to: string;
  resourceId: string;
  roles: readonly { id: string; role: InvitationRole; isOpen: boolean }[];
  /** The end that the user chooses. */
  endsAt?: string | undefined;
  /** Whether links of the swarm may show the device. Undefined: as before. */
  isShown?: boolean | undefined;
  claim: Claim;
}

type NotJoined = 'no link' | 'not allowed' | 'no swarm' | 'no resource' | 'has role' | 'not new';

/**
 * Sends an invitation for each role and accepts it, in one write: the resource joins by a link or by its accepted request. With
 * `isOpen`, the invitation with this id is accepted. Returns the role that the member has now.
 */
export async function join({ db, quotas, now }: Deps, joined: Joining): Promise<{ role: MemberRole } | NotJoined> {
  const { conditions, swarmId, from, to, resourceId, roles, claim } = joined;
  const at = now().toISOString();
  const role = sql`SELECT resource_type FROM memberships WHERE swarm_id = ${swarmId} AND resource_id = ${resourceId}`;
  const written = await db.write(
    joinStatements<NotJoined | TooMany>({ swarmId, resourceId, at }, [
      { sql: 'SELECT 1 FROM swarms WHERE id = $1 AND user_id = $2', params: [swarmId, from], orFail: 'no swarm' },
      {
        sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2',
        params: [resourceId, to],
        orFail: 'no resource',
      },
      ...conditions,
      ...joinedByLink(joined, at),
      ...roles.flatMap((each) => sendAndAccept(joined, each, at, quotas)),
      ...claim(() => role),
      { ...role, isResult: true },
    ]),
  );
  if (written.ok) return { role: firstRow<{ resource_type: MemberRole }>(written.rows).resource_type };
  if (isTooMany(written.failed)) throw tooMany(written.failed, quotas);
  return written.failed;
}

/** Written before the membership: if the device is a member already, the change of its end is another entry. */
function joinedByLink({ linkId, roles, to: actor, resourceId, swarmId, endsAt }: Joining, at: string): Statement[] {
  if (linkId === undefined || roles.length === 0) return [];
  return [memberActivity({ kind: 'member.joined', actor, at, resourceId, swarmId, detail: asRole(roles), endsAt })];
}

/** The invitation for one role, sent unless it is open, and accepted. */
function sendAndAccept(
  { linkId, sentBy, swarmId, from, to, resourceId, endsAt, isShown }: Joining,
  { id, role: resource_type, isOpen }: Joining['roles'][number],
  at: string,
  quotas: Quotas,
): Statement<NotJoined | TooMany>[] {
  const joinedBy = linkId === undefined ? 'request' : 'link';
  const body = { to, resource_id: resourceId, resource_type };
  const invitation = { ...body, id, swarm_id: swarmId };
  return [
    ...(isOpen ? [] : [sending({ id, from, sentBy, swarmId, body, at, joinedBy })]),
    ...acceptUnread({ invitation, at, endsAt, isShown, joinedBy, actor: sentBy ?? to }, quotas),
    ...(linkId === undefined ? [] : [sql`UPDATE invitations SET link_id = ${linkId} WHERE id = ${id}`]),
  ];
}

/** The statements of an answer to one invitation. The first one returns it. */
type Answering = [Statement<'not new'>, ...Statement<'no resource' | TooMany>[]];

function reject({ invitation, at }: { invitation: Answered; at: string }): Answering {
  const { id, to } = invitation;
  return [
    {
      ...sql`UPDATE invitations SET status = 'rejected', rejected_at = greatest(sent_at, ${at})
        WHERE id = ${id} AND status = 'new' RETURNING ${raw(columns)}`,
      user: to,
      orFail: 'not new',
    },
    invitationActivity({ kind: 'invitation.rejected', actor: to, at, id }),
    olderAnswers(invitation),
  ];
}

/** What the owner of a resource agrees to. */
interface Agreed {
  at: string;
  endsAt?: string | undefined;
  isShown?: boolean | undefined;
}

/** The owner accepts the invitation as it was read: sent again with another end since then, it is not accepted. */
function acceptAsRead({ invitation, ...agreed }: Agreed & { invitation: Offered }, quotas: Quotas): Answering {
  const { id, to, ends_at: offered } = invitation;
  const { at, endsAt } = agreed;
  const isChosen = endsAt !== undefined && endsAt !== offered;
  const joinedBy = offered === undefined ? 'invitation' : 'invitationWithEnd';
  return [
    markAccepted({ invitation, at, where: sql` AND ends_at IS NOT DISTINCT FROM ${offered ?? null}` }),
    // Before the membership: by the one that is there, it tells the offer of a later end from an invitation to join.
    invitationActivity({ kind: 'invitation.accepted', actor: to, at, id, ...(isChosen && { endsAt }) }),
    ...insertMember({ ...agreed, invitation, joinedBy, actor: to, offered }, quotas),
    olderAnswers(invitation),
  ];
}

/** By a link or a request, whose caller notes it, the owner joins also if the invitation is new, or was not read. Its end does not count. */
const acceptUnread = (
  joined: Agreed & { invitation: Answered; joinedBy: 'link' | 'request'; actor: string },
  quotas: Quotas,
): Answering => [markAccepted(joined), ...insertMember(joined, quotas), olderAnswers(joined.invitation)];

const markAccepted = ({
  invitation: { id, to },
  at,
  where = sql``,
}: {
  invitation: Answered;
  at: string;
  where?: Sql;
}): Statement<'not new'> => ({
  ...sql`UPDATE invitations AS i SET status = 'accepted', accepted_at = greatest(sent_at, ${at}),
      is_later_end = CASE WHEN ${raw(offersEnd)} THEN 1 ELSE 0 END
    WHERE id = ${id} AND status = 'new'${where} RETURNING ${raw(columns)}`,
  user: to,
  orFail: 'not new',
});

interface NewMember extends Agreed {
  invitation: Answered;
  joinedBy: JoinedBy;
  actor: string;
  /** The end that the invitation offers: the latest one from then on. */
  offered?: string | undefined;
}

/** The membership of an invitation that was accepted in the same write. */
function insertMember(
  { invitation, at, endsAt, isShown, joinedBy, actor, offered }: NewMember,
  quotas: Quotas,
): Statement<'no resource' | TooMany>[] {
  const { id, to, swarm_id, resource_id } = invitation;
  return [
    // Before the change: it compares with the end that the member has.
    ...(endsAt === undefined ? [] : [endActivity({ invitation, at, endsAt, joinedBy, actor })]),
    removeEnded({ swarmId: swarm_id, resourceId: resource_id }),
    withinSwarmsOfDevice({ ids: [resource_id], swarmId: swarm_id, allowed: quotas.swarms_of_device }),
    {
      sql: insertMembers({
        swarm: 'i.swarm_id',
        resource: 'r.id',
        role: 'i.resource_type',
        since: 'greatest(i.accepted_at, r.created_at)',
        endsAt: 'CAST($2 AS text)',
        endsAtMost: 'CAST($3 AS text)',
        isShown: '$4',
        joinedBy,
        from: 'invitations i JOIN resources r ON r.id = i.resource_id WHERE i.id = $1',
      }),
      params: [id, earlierEnd(offered, endsAt) ?? null, offered ?? null, isShown ? 1 : 0],
      orFail: 'no resource',
    },
    withinMemberLimit({ swarmId: swarm_id, allowed: quotas.members }),
    // Its request to join needs no answer any more.
    {
      sql: `UPDATE join_requests SET status = 'accepted', ended_at = greatest(asked_at, $1)
            WHERE swarm_id = $2 AND resource_id = $3 AND status = 'new' AND EXISTS (
              SELECT 1 FROM memberships m WHERE m.swarm_id = $2 AND m.resource_id = $3
                AND m.resource_type IN (join_requests.resource_type, 'both'))`,
      params: [at, swarm_id, resource_id],
    },
    ...setShown({ swarmId: swarm_id, resourceId: resource_id, actor: to, to: isShown, at }),
  ];
}

/** Deletes the oldest answers of a resource to a swarm. */
const olderAnswers = ({ id, swarm_id, resource_id, resource_type }: Answered): Statement => ({
  sql: `DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE swarm_id = $1 AND resource_id = $2
          AND resource_type = $3 AND status <> 'new' AND id <> $4
          ORDER BY changed_at DESC, id DESC LIMIT ${deletedAtOnce} OFFSET ${invitationLimits.answeredOfDevice - 1})`,
  params: [swarm_id, resource_id, resource_type, id],
});

/** The end of a member changes with the role that it gains, or to a later one that was offered. */
const endActivity = (change: {
  invitation: Answered;
  at: string;
  endsAt: string;
  joinedBy: JoinedBy;
  actor: string;
}): Statement => {
  const { invitation, at, endsAt, joinedBy, actor } = change;
  const { swarm_id, resource_id } = invitation;
  const isOther =
    joinedBy === 'invitation'
      ? sql`(m.ends_at IS NULL OR m.ends_at > ${endsAt})`
      : sql`m.ends_at IS DISTINCT FROM ${endsAt}`;
  return memberActivity({
    kind: 'member.end_changed',
    actor,
    at,
    resourceId: resource_id,
    swarmId: swarm_id,
    detail: endsAt,
    where: sql`EXISTS (SELECT 1 FROM memberships m WHERE m.swarm_id = ${swarm_id} AND m.resource_id = ${resource_id}
      AND ${raw(isOpen('m'))} AND ${isOther})`,
  });
};

const tooMany = (failed: TooMany, quotas: Quotas) =>
  quotaExceeded(failed === 'too many members' ? 'members' : 'swarms_of_device', quotas);

/**
 * Each write by which an invitation is accepted and a resource becomes a member. The new version comes first: it locks the swarm, so that
 * nobody sends an invitation for the same role meanwhile. The resource comes before the invitation, as when it is destroyed.
 */
const joinStatements = <Failure extends string>(
  { swarmId, resourceId, at }: Record<'swarmId' | 'resourceId' | 'at', string>,
  statements: readonly Statement<Failure>[],
): Statement<Failure>[] => [
  incrementVersion(swarmId),
  { sql: 'SELECT 1 FROM resources WHERE id = $1 FOR UPDATE', params: [resourceId] },
  ...statements,
  acceptReachedEnds({ swarmId, resourceId, at }),
];

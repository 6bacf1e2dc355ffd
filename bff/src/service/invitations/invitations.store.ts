import type { Invitation, InvitationRole, InvitationSend, MemberRole } from '../../contract.ts';
import { idFormat } from '../../limits/field-rules.ts';
import { invitationLimits } from '../../limits/part-limits.ts';
import { quotaExceeded, type Quotas } from '../../limits/quotas.ts';
import type { Database } from '../../store/database.ts';
import { invitationOf, isOfEitherRole } from '../../store/invitation-record.ts';
import { searchText } from '../../store/search-text.ts';
import { firstRow, raw, sql, type Statement } from '../../store/statement.ts';
import type { InvitationRow } from '../../store/row-types.ts';
import { invitationActivity, memberActivity, offersEnd, resentInvitation } from '../activity/activity.store.ts';
import type { Claim } from '../endpoint/idempotency.store.ts';
import { arrayOf, chunksOf, chunkSql, jsonOf } from '../endpoint/list-chunks.store.ts';
import {
  acceptReachedEnds,
  insertMembers,
  removeEnded,
  setShown,
  withinMemberLimit,
  withinSwarmsOfDevice,
  type JoinedBy,
} from '../members/members.store.ts';
import { incrementVersion } from '../../store/swarm-version.ts';
import { isOpen } from '../../store/visibility.ts';
import { earlierOf } from '../members/consent-ends.ts';
import { mayStill, withinQuota } from '../endpoint/write-checks.store.ts';

/** The role of a member who has all of these. */
const asRole = (roles: readonly { role: InvitationRole }[]): MemberRole => (roles.length > 1 ? 'both' : roles[0]!.role);

const columns = `id, "from", "to", swarm_id, resource_id, resource_type, description, sent_by, ends_at, sent_at, status,
  accepted_at, rejected_at, created_at`;
type Row = Pick<InvitationRow, keyof Invitation | 'created_at'>;

const list = (where: string) => chunkSql({ columns, time: 'created_at', id: 'id', from: 'invitations', where });
const lists = {
  swarm: list('swarm_id = $3'),
  resource: list('resource_id = $3 AND "to" = (SELECT user_id FROM resources WHERE id = $3)'),
  user: list('"to" = $3'),
};

const deletedAtOnce = 100;

type Answered = Pick<InvitationRow, 'id' | 'to' | 'swarm_id' | 'resource_id' | 'resource_type'>;
type SendResult = Pick<InvitationRow, 'id' | 'sent_at'> | 'no swarm' | 'not allowed' | 'no resource' | 'has role';

/** The failures of a write by which a resource joins a swarm. */
type TooMany = 'too many members' | 'too many swarms of device';
const isTooMany = (failed: string): failed is TooMany => failed.startsWith('too many ');

interface Parts {
  db: Database;
  quotas: Quotas;
  now: () => Date;
}

export function createInvitations({
  db,
  quotas,
  now,
  mostAnsweredOfSender = invitationLimits.answeredOfSender,
}: Parts & { mostAnsweredOfSender?: number }) {
  const listBy = (select: string, key: string) =>
    arrayOf(
      jsonOf(
        chunksOf({
          read: (after) => db.read<Row>({ sql: select, params: [...after, key] }),
          keyOf: ({ created_at, id }) => [created_at, id],
          recordOf: invitationOf,
        }),
      ),
    );

  return {
    ofSwarm: (swarmId: string) => listBy(lists.swarm, swarmId),
    ofResource: (resourceId: string) => listBy(lists.resource, resourceId),
    ofUser: (userId: string) => listBy(lists.user, userId),

    async find(id: string): Promise<Invitation | undefined> {
      if (!idFormat.test(id)) return undefined;
      const [found] = await db.read<Row>({ sql: `SELECT ${columns} FROM invitations WHERE id = $1`, params: [id] });
      return found && invitationOf(found);
    },

    async labelOf(id: string): Promise<string | null> {
      const [found] = await db.read<{ label: string | null }>({
        sql: 'SELECT label FROM invitations WHERE id = $1',
        params: [id],
      });
      return found?.label ?? null;
    },

    send: (sent: Sent) => send({ db, quotas, now }, sent),
    answer: (answer: Answer) => writeAnswer({ db, quotas, now }, answer),
    join: (joining: Joining) => join({ db, quotas, now }, joining),
    purge: () => purgeAnswered({ db, mostAnsweredOfSender }),

    /** The ids of the open invitations of a resource to a swarm, by role. */
    async openOf({ swarmId, resourceId }: { swarmId: string; resourceId: string }) {
      const rows = await db.read<Pick<InvitationRow, 'id' | 'resource_type'>>({
        sql: `SELECT id, resource_type FROM invitations
              WHERE swarm_id = $1 AND resource_id = $2 AND status = 'new' AND ${isOfEitherRole}`,
        params: [swarmId, resourceId],
      });
      return new Map(rows.map(({ id, resource_type }) => [resource_type, id]));
    },

    /** Withdraws open invitations together. Returns false if one is not open, or the actor may not. */
    async withdraw({ ids, swarmId, actor }: { ids: string[]; swarmId: string; actor: string }): Promise<boolean> {
      const at = now().toISOString();
      const written = await db.write([
        { sql: 'SELECT 1 FROM swarms WHERE id = $1 FOR SHARE', params: [swarmId] },
        mayStill({ operation: 'withdrawInvitation', swarmId, userId: actor }),
        ...ids.flatMap((id): Statement<'not new'>[] => [
          invitationActivity({ kind: 'invitation.withdrawn', actor, at, id }),
          {
            sql: `DELETE FROM invitations WHERE id = $1 AND swarm_id = $2 AND status = 'new'`,
            params: [id, swarmId],
            orFail: 'not new',
          },
        ]),
      ]);
      return written.ok;
    },
  };
}

interface Sent {
  from: string;
  actor: string;
  swarmId: string;
  body: Omit<InvitationSend, 'resource_type'>;
  roles: readonly { id: string; role: InvitationRole }[];
  claim: Claim;
}

/**
 * There is one open invitation for a resource, swarm and role: sending it again renews its time and text. For a role that the resource has,
 * it offers a later end. Those for
 * two roles are sent together. The result is the first one, and does not reveal whether the user exists. `from`: the
 * owner of the swarm; `actor`: the owner or a manager.
 */
async function send({ db, quotas, now }: Parts, sent: Sent): Promise<SendResult> {
  const { from, actor, swarmId, body, roles, claim } = sent;
  const { to, resource_id } = body;
  const at = now().toISOString();
  const invitations = roles.map(({ id, role }) => ({
    id,
    from,
    by: actor,
    swarmId,
    body: { ...body, resource_type: role },
    at,
  }));
  const [first, ...others] = invitations.map(sending) as [Statement<'has role'>, ...Statement<'has role'>[]];
  const written = await db.write([
    ...roles.map(({ role }) => resentInvitation({ actor, at, swarmId, resourceId: resource_id, role })),
    {
      sql: 'SELECT 1 FROM swarms WHERE id = $1 AND user_id = $2 FOR SHARE',
      params: [swarmId, from],
      orFail: 'no swarm',
    },
    mayStill({ operation: 'sendInvitation', swarmId, userId: actor }),
    {
      sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2 FOR SHARE',
      params: [resource_id, to],
      orFail: 'no resource',
    },
    { ...first, isResult: true },
    ...others,
    withinQuota({ userId: from, kind: 'invitations', allowed: quotas.invitations }),
    ...roles.map(({ id }) => invitationActivity({ kind: 'invitation.sent', actor, at, id })),
    ...(body.ends_at === undefined
      ? []
      : roles.map(({ id }) => invitationActivity({ kind: 'invitation.end_offered', actor, at, id }))),
    ...claim(
      () => sql`SELECT id || ' ' || sent_at FROM invitations WHERE swarm_id = ${swarmId}
          AND resource_id = ${resource_id} AND resource_type = ${roles[0]!.role} AND status = 'new'`,
    ),
  ]);
  if (written.ok) return firstRow<Pick<InvitationRow, 'id' | 'sent_at'>>(written.rows);
  if (written.failed === 'too many invitations') throw quotaExceeded('invitations', quotas);
  return written.failed;
}

/** An open invitation as it was read. */
type Offered = Answered & Pick<Invitation, 'ends_at'>;

interface Answer {
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
async function writeAnswer(
  { db, quotas, now }: Parts,
  { answered: [first, ...others], status, ...terms }: Answer,
): Promise<Invitation | undefined> {
  const at = now().toISOString();
  const { swarm_id, resource_id } = first;
  const [answer, ...rest] = answering({ invitation: first, status, at, ...terms }, quotas);
  const statements = [
    { ...answer, isResult: true as const },
    ...rest,
    ...others.flatMap((invitation) => answering({ invitation, status, at, ...terms }, quotas)),
  ];
  const written = await db.write(
    status === 'accept'
      ? [
          ...lockedToJoin({ swarm_id, resource_id }),
          ...statements,
          acceptReachedEnds({ at, swarmId: swarm_id, resourceId: resource_id }),
        ]
      : statements,
  );
  if (written.ok) return invitationOf(firstRow<Row>(written.rows));
  if (isTooMany(written.failed)) throw tooMany(written.failed, quotas);
  return undefined;
}

interface Joining {
  /** Undefined for a request, which notes the acceptance itself. */
  linkId?: string;
  by: readonly Statement<'no link' | 'not allowed' | 'not new'>[];
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

/**
 * Sends an invitation for each role and accepts it, in one write: the resource joins by a link or by its accepted
 * request, whose statements are `by`. With `isOpen`, the invitation with this id is accepted. Returns the role that the
 * member has now.
 */
async function join(
  { db, quotas, now }: Parts,
  joining: Joining,
): Promise<{ role: MemberRole } | 'no link' | 'not allowed' | 'no swarm' | 'no resource' | 'has role' | 'not new'> {
  const { linkId, by, sentBy, swarmId, from, to, resourceId, roles, endsAt, isShown, claim } = joining;
  const at = now().toISOString();
  const way = linkId === undefined ? 'request' : 'link';
  const role = sql`SELECT resource_type FROM memberships WHERE swarm_id = ${swarmId} AND resource_id = ${resourceId}`;
  const written = await db.write([
    ...lockedToJoin({ swarm_id: swarmId, resource_id: resourceId }),
    { sql: 'SELECT 1 FROM swarms WHERE id = $1 AND user_id = $2', params: [swarmId, from], orFail: 'no swarm' },
    {
      sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2',
      params: [resourceId, to],
      orFail: 'no resource',
    },
    ...by,
    ...roles.flatMap(({ id, role: resource_type, isOpen }) => {
      const body = { to, resource_id: resourceId, resource_type };
      const invitation = { ...body, id, swarm_id: swarmId };
      return [
        ...(isOpen ? [] : [sending({ id, from, by: sentBy, swarmId, body, at })]),
        ...answering(
          { invitation, status: 'accept', at, endsAt, isShown, joining: { by: way, actor: sentBy ?? to } },
          quotas,
        ),
        ...(linkId === undefined
          ? []
          : [{ sql: 'UPDATE invitations SET link_id = $1 WHERE id = $2', params: [linkId, id] }]),
      ];
    }),
    ...(linkId === undefined || roles.length === 0
      ? []
      : [memberActivity({ kind: 'member.joined', actor: to, at, resourceId, swarmId, detail: asRole(roles) })]),
    ...claim(() => role),
    { ...role, isResult: true },
  ]);
  if (written.ok) return { role: firstRow<{ resource_type: MemberRole }>(written.rows).resource_type };
  if (isTooMany(written.failed)) throw tooMany(written.failed, quotas);
  return written.failed;
}

/** Writes the answer, and with an accepted one the membership. `lockedToJoin` comes before it. */
function answering(
  answer: {
    invitation: Answered & Partial<Offered>;
    status: 'accept' | 'reject';
    at: string;
    endsAt?: string | undefined;
    isShown?: boolean | undefined;
    /** By a link or a request, which the caller notes. The end that an open invitation offers was not read. */
    joining?: { by: Exclude<JoinedBy, 'invitation'>; actor: string };
  },
  quotas: Quotas,
): [Statement<'not new'>, ...Statement<'no resource' | TooMany>[]] {
  const { invitation, status, at, endsAt = null, isShown, joining } = answer;
  const by = joining?.by ?? 'invitation';
  const { id, to, swarm_id, resource_id, resource_type } = invitation;
  const state = status === 'accept' ? 'accepted' : 'rejected';
  // Sent again with another end since it was read, it is not accepted.
  const isAsRead = status === 'accept' && !joining;
  const answered: Statement<'not new'> = {
    sql: `UPDATE invitations AS i SET status = '${state}', ${state}_at = greatest(sent_at, $1)
            ${status === 'accept' ? `, is_later_end = CASE WHEN ${offersEnd} THEN 1 ELSE 0 END` : ''}
          WHERE id = $2 AND status = 'new' ${isAsRead ? 'AND ends_at IS NOT DISTINCT FROM $3' : ''} RETURNING ${columns}`,
    params: [at, id, ...(isAsRead ? [invitation.ends_at ?? null] : [])],
    user: to,
    orFail: 'not new',
  };
  const joined: Statement<'no resource' | TooMany>[] = [
    removeEnded({ swarmId: swarm_id, resourceId: resource_id }),
    withinSwarmsOfDevice({ ids: [resource_id], swarmId: swarm_id, allowed: quotas.swarms_of_device }),
    {
      sql: insertMembers({
        swarm: 'i.swarm_id',
        resource: 'r.id',
        role: 'i.resource_type',
        since: 'greatest(i.accepted_at, r.created_at)',
        endsAt: joining ? 'CAST($2 AS text)' : earlierOf('i.ends_at', '$2'),
        endsAtMost: joining ? 'CAST(NULL AS text)' : 'i.ends_at',
        isShown: '$3',
        by,
        from: 'invitations i JOIN resources r ON r.id = i.resource_id WHERE i.id = $1',
      }),
      params: [id, endsAt, isShown ? 1 : 0],
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
  const noted = joining ? [] : [invitationActivity({ kind: `invitation.${state}`, actor: to, at, id })];
  if (status === 'accept' && endsAt !== null)
    noted.push(endActivity({ invitation, at, endsAt, by, actor: joining?.actor ?? to }));
  const older: Statement = {
    sql: `DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE swarm_id = $1 AND resource_id = $2
            AND resource_type = $3 AND status <> 'new' AND id <> $4
            ORDER BY changed_at DESC, id DESC LIMIT ${deletedAtOnce} OFFSET ${invitationLimits.answeredOfDevice - 1})`,
    params: [swarm_id, resource_id, resource_type, id],
  };
  // `noted` comes before `joined`: by the membership that is there, it tells the offer of a later end from an invitation to join.
  return [answered, ...noted, ...(status === 'accept' ? joined : []), older];
}

/** The end of a member changes with the role that it gains, or to a later one that was offered. Must come before the change. */
const endActivity = (accepted: {
  invitation: Answered & Partial<Offered>;
  at: string;
  endsAt: string;
  by: JoinedBy;
  actor: string;
}): Statement => {
  const { invitation, at, endsAt, by, actor } = accepted;
  const { swarm_id, resource_id, ends_at: offered } = invitation;
  const replaces = by !== 'invitation' || offered !== undefined;
  const isOther = replaces
    ? sql`m.ends_at IS DISTINCT FROM ${endsAt}`
    : sql`(m.ends_at IS NULL OR m.ends_at > ${endsAt})`;
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

/** Deletes the oldest answered invitations of each sender who has too many, a few with each write. */
async function purgeAnswered({
  db,
  mostAnsweredOfSender,
}: {
  db: Database;
  mostAnsweredOfSender: number;
}): Promise<void> {
  const senders = await db.read<{ sender: string }>({
    sql: `SELECT "from" AS sender FROM invitations WHERE status <> 'new' GROUP BY "from" HAVING count(*) > $1`,
    params: [mostAnsweredOfSender],
    isLong: true,
  });
  for (const { sender } of senders) {
    const [newest] = await db.read<Pick<InvitationRow, 'id' | 'changed_at'>>({
      sql: `SELECT id, changed_at FROM invitations WHERE "from" = $1 AND status <> 'new'
            ORDER BY changed_at DESC, id DESC LIMIT 1 OFFSET $2`,
      params: [sender, mostAnsweredOfSender],
      isLong: true,
    });
    if (!newest) continue;
    const deletion: Statement<'nothing left'> = {
      sql: `DELETE FROM invitations WHERE id IN (
              SELECT id FROM invitations WHERE "from" = $1 AND status IN ('accepted', 'rejected')
                AND changed_at <= $2 AND (changed_at < $2 OR id <= $3) LIMIT ${deletedAtOnce})`,
      params: [sender, newest.changed_at, newest.id],
      orFail: 'nothing left',
    };
    while ((await db.write([deletion])).ok);
  }
}

/**
 * An open invitation for the same resource, swarm and role gets a new time and text, and keeps its id. One for a role that the resource has
 * is sent only if it offers a later end than the membership has: one without an end is refused.
 */
function sending(sent: {
  id: string;
  from: string;
  by: string | null;
  swarmId: string;
  body: InvitationSend;
  at: string;
}): Statement<'has role'> {
  const { id, from, by, swarmId, body, at } = sent;
  const { to, resource_id, resource_type, description = null, label = null, ends_at = null } = body;
  const folded = label === null ? null : searchText(label);
  const member = `SELECT 1 FROM memberships WHERE swarm_id = $4 AND resource_id = $5 AND resource_type IN ($6, 'both')
    AND ${isOpen('memberships')}`;
  return {
    sql: `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, description, sent_at, status,
                                   created_at, label, label_folded, sent_by, ends_at, is_later_end)
          SELECT $1, $2, $3, id, $5, $6, $7, greatest($8, created_at), 'new', greatest($8, created_at), $9, $10, $11, $12,
            CASE WHEN EXISTS (${member}) THEN 1 ELSE 0 END
          FROM swarms
          WHERE id = $4 AND NOT EXISTS (${member} AND coalesce(ends_at, '9999') >= coalesce(CAST($12 AS text), ''))
          ON CONFLICT (swarm_id, resource_id, resource_type) WHERE status = 'new'
          DO UPDATE SET sent_at = greatest(invitations.sent_at, excluded.sent_at), description = excluded.description,
            sent_by = excluded.sent_by, ends_at = excluded.ends_at, is_later_end = excluded.is_later_end, label = coalesce(excluded.label, invitations.label),
            label_folded = coalesce(excluded.label_folded, invitations.label_folded)
          RETURNING id, sent_at`,
    params: [id, from, to, swarmId, resource_id, resource_type, description, at, label, folded, by, ends_at],
    orFail: 'has role',
  };
}

/**
 * The new version comes first: it locks the swarm, so that nobody sends an invitation for the same role meanwhile. The
 * resource comes before the invitation, as when it is destroyed.
 */
const lockedToJoin = ({ swarm_id, resource_id }: Pick<InvitationRow, 'swarm_id' | 'resource_id'>): Statement[] => [
  incrementVersion(swarm_id),
  { sql: 'SELECT 1 FROM resources WHERE id = $1 FOR UPDATE', params: [resource_id] },
];

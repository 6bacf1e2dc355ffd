import type { Invitation, InvitationRole, InvitationSend, MemberRole } from '../contract.ts';
import { idFormat } from '../limits/field-rules.ts';
import { quotaExceeded, type Quotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import { invitationOf } from '../store/invitation-record.ts';
import { firstRow, sql, type Statement } from '../store/statement.ts';
import type { InvitationRow } from '../store/row-types.ts';
import { invitationActivity, resentInvitation } from './activity.store.ts';
import type { Claim } from './idempotency.store.ts';
import { arrayOf, chunksOf, chunkSql, jsonOf } from './list-chunks.store.ts';
import { addRoleOnConflict, incrementVersion, withinMemberLimit } from './members.store.ts';
import { withinQuota } from './write-checks.store.ts';

const columns = `id, "from", "to", swarm_id, resource_id, resource_type, description, sent_at, status, accepted_at,
  rejected_at, created_at`;
type Row = Omit<InvitationRow, 'changed_at' | 'last_known_name'>;

const list = (where: string) => chunkSql({ columns, time: 'created_at', id: 'id', from: 'invitations', where });
const lists = { swarm: list('swarm_id = $3'), resource: list('resource_id = $3'), user: list('"to" = $3') };

/** Answered invitations for one swarm, resource and role. */
const mostAnswers = 10;
const deletedAtOnce = 100;

type SendResult = Pick<InvitationRow, 'id' | 'sent_at'> | 'no swarm' | 'no resource' | 'has role';

export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations({
  db,
  quotas,
  now,
  mostAnsweredOfSender = 200_000,
}: {
  db: Database;
  quotas: Quotas;
  now: () => Date;
  mostAnsweredOfSender?: number;
}) {
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

  /** Writes the answer, and with an accepted one the membership. `lockedToJoin` comes before it. */
  function answering(answer: {
    invitation: Pick<InvitationRow, 'id' | 'to' | 'swarm_id' | 'resource_id' | 'resource_type'>;
    status: 'accept' | 'reject';
    at: string;
  }): [Statement<'not new'>, ...Statement<'no resource' | 'too many members'>[]] {
    const { invitation, status, at } = answer;
    const { id, to, swarm_id, resource_id, resource_type } = invitation;
    const state = status === 'accept' ? 'accepted' : 'rejected';
    const answered: Statement<'not new'> = {
      sql: `UPDATE invitations SET status = '${state}', ${state}_at = greatest(sent_at, $1)
            WHERE id = $2 AND status = 'new' RETURNING ${columns}`,
      params: [at, id],
      orFail: 'not new',
    };
    const joined: Statement<'no resource' | 'too many members'>[] = [
      {
        sql: `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since)
              SELECT i.swarm_id, r.id, i.resource_type, greatest(i.accepted_at, r.created_at)
              FROM invitations i JOIN resources r ON r.id = i.resource_id WHERE i.id = $1 ${addRoleOnConflict}`,
        params: [id],
        orFail: 'no resource',
      },
      withinMemberLimit({ swarmId: swarm_id, allowed: quotas.members }),
    ];
    const noted = invitationActivity({ kind: `invitation.${state}`, actor: to, at, id });
    const older: Statement = {
      sql: `DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE swarm_id = $1 AND resource_id = $2
              AND resource_type = $3 AND status <> 'new' AND id <> $4
              ORDER BY changed_at DESC, id DESC LIMIT ${deletedAtOnce} OFFSET ${mostAnswers - 1})`,
      params: [swarm_id, resource_id, resource_type, id],
    };
    return [answered, ...(status === 'accept' ? joined : []), noted, older];
  }

  return {
    ofSwarm: (swarmId: string) => listBy(lists.swarm, swarmId),
    ofResource: (resourceId: string) => listBy(lists.resource, resourceId),
    ofUser: (userId: string) => listBy(lists.user, userId),

    async find(id: string): Promise<Invitation | undefined> {
      if (!idFormat.test(id)) return undefined;
      const [found] = await db.read<Row>({ sql: `SELECT ${columns} FROM invitations WHERE id = $1`, params: [id] });
      return found && invitationOf(found);
    },

    /**
     * There is one open invitation for a resource, swarm and role: sending it again renews its time and text. The result
     * does not reveal whether the user exists.
     */
    async send(options: {
      id: string;
      from: string;
      swarmId: string;
      body: InvitationSend;
      claim: Claim;
    }): Promise<SendResult> {
      const { id, from, swarmId, body, claim } = options;
      const { to, resource_id, resource_type } = body;
      const at = now().toISOString();
      const written = await db.write([
        resentInvitation({ actor: from, at, swarmId, resourceId: resource_id, role: resource_type }),
        {
          sql: 'SELECT 1 FROM swarms WHERE id = $1 AND user_id = $2 FOR SHARE',
          params: [swarmId, from],
          orFail: 'no swarm',
        },
        {
          sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2 FOR SHARE',
          params: [resource_id, to],
          orFail: 'no resource',
        },
        { ...sending({ id, from, swarmId, body, at }), isResult: true },
        withinQuota({ userId: from, kind: 'invitations', allowed: quotas.invitations }),
        invitationActivity({ kind: 'invitation.sent', actor: from, at, id }),
        ...claim(
          () => sql`SELECT id || ' ' || sent_at FROM invitations WHERE swarm_id = ${swarmId}
              AND resource_id = ${resource_id} AND resource_type = ${resource_type} AND status = 'new'`,
        ),
      ]);
      if (written.ok) return firstRow<Pick<InvitationRow, 'id' | 'sent_at'>>(written.rows);
      if (written.failed === 'too many invitations') throw quotaExceeded('invitations', quotas);
      return written.failed;
    },

    /** Writes the answer and the membership together. Returns undefined if the invitation is not new or does not exist. */
    async answer({
      invitation,
      status,
    }: {
      invitation: Pick<InvitationRow, 'id' | 'to' | 'swarm_id' | 'resource_id' | 'resource_type'>;
      status: 'accept' | 'reject';
    }): Promise<Invitation | undefined> {
      const at = now().toISOString();
      const { swarm_id, resource_id } = invitation;
      const [answered, ...rest] = answering({ invitation, status, at });
      const statements = [{ ...answered, isResult: true as const }, ...rest];
      const written = await db.write(
        status === 'accept' ? [...lockedToJoin({ swarm_id, resource_id }), ...statements] : statements,
      );
      if (written.ok) return invitationOf(firstRow<Row>(written.rows));
      if (written.failed === 'too many members') throw quotaExceeded('members', quotas);
      return undefined;
    },

    /** The ids of the open invitations of a resource to a swarm, by role. */
    async openOf({ swarmId, resourceId }: { swarmId: string; resourceId: string }) {
      const rows = await db.read<Pick<InvitationRow, 'id' | 'resource_type'>>({
        sql: `SELECT id, resource_type FROM invitations WHERE swarm_id = $1 AND resource_id = $2 AND status = 'new'`,
        params: [swarmId, resourceId],
      });
      return new Map(rows.map(({ id, resource_type }) => [resource_type, id]));
    },

    /**
     * Sends an invitation for each role and accepts it, in one write: the resource joins by a link. With `isOpen`, the
     * invitation with this id is accepted. Returns the role that the member has now.
     */
    async join(joining: {
      linkId: string;
      place: Statement<'no link'>;
      swarmId: string;
      from: string;
      to: string;
      resourceId: string;
      roles: readonly { id: string; role: InvitationRole; isOpen: boolean }[];
      claim: Claim;
    }): Promise<{ role: MemberRole } | 'no link' | 'no resource' | 'has role' | 'not new'> {
      const { linkId, place, swarmId, from, to, resourceId, roles, claim } = joining;
      const at = now().toISOString();
      const role = sql`SELECT resource_type FROM memberships WHERE swarm_id = ${swarmId} AND resource_id = ${resourceId}`;
      const written = await db.write([
        ...lockedToJoin({ swarm_id: swarmId, resource_id: resourceId }),
        { sql: 'SELECT 1 FROM swarms WHERE id = $1 AND user_id = $2', params: [swarmId, from], orFail: 'no link' },
        {
          sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2',
          params: [resourceId, to],
          orFail: 'no resource',
        },
        place,
        ...roles.flatMap(({ id, role: resource_type, isOpen }) => {
          const body = { to, resource_id: resourceId, resource_type };
          const invitation = { ...body, id, swarm_id: swarmId };
          return [
            ...(isOpen ? [] : [sending({ id, from, swarmId, body, at })]),
            ...answering({ invitation, status: 'accept', at }),
            { sql: 'UPDATE invitations SET link_id = $1 WHERE id = $2', params: [linkId, id] },
          ];
        }),
        ...claim(() => role),
        { ...role, isResult: true },
      ]);
      if (written.ok) return { role: firstRow<{ resource_type: MemberRole }>(written.rows).resource_type };
      if (written.failed === 'too many members') throw quotaExceeded('members', quotas);
      return written.failed;
    },

    /** Deletes the oldest answered invitations of each sender who has too many, a few with each write. */
    async purge(): Promise<void> {
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
    },

    /** Withdraws an open invitation. Returns false if it is not open. */
    async withdraw({ id, swarmId, actor }: { id: string; swarmId: string; actor: string }): Promise<boolean> {
      const written = await db.write([
        invitationActivity({ kind: 'invitation.withdrawn', actor, at: now().toISOString(), id }),
        {
          sql: `DELETE FROM invitations WHERE id = $1 AND swarm_id = $2 AND status = 'new'`,
          params: [id, swarmId],
          orFail: 'not new',
        },
      ]);
      return written.ok;
    },
  };
}

/** An open invitation for the same resource, swarm and role gets a new time and text, and keeps its id. */
function sending(sent: {
  id: string;
  from: string;
  swarmId: string;
  body: InvitationSend;
  at: string;
}): Statement<'has role'> {
  const { id, from, swarmId, body, at } = sent;
  const { to, resource_id, resource_type, description = null } = body;
  return {
    sql: `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, description, sent_at, status,
                                   created_at)
          SELECT $1, $2, $3, id, $5, $6, $7, greatest($8, created_at), 'new', greatest($8, created_at)
          FROM swarms
          WHERE id = $4 AND NOT EXISTS (SELECT 1 FROM memberships WHERE swarm_id = $4 AND resource_id = $5
                                        AND resource_type IN ($6, 'both'))
          ON CONFLICT (swarm_id, resource_id, resource_type) WHERE status = 'new'
          DO UPDATE SET sent_at = greatest(invitations.sent_at, excluded.sent_at), description = excluded.description
          RETURNING id, sent_at`,
    params: [id, from, to, swarmId, resource_id, resource_type, description, at],
    orFail: 'has role',
  };
}

/**
 * The new version comes first: it locks the swarm, so that nobody sends an invitation for the same role meanwhile. The
 * resource comes before the invitation, as when it is destroyed.
 */
const lockedToJoin = ({ swarm_id, resource_id }: Pick<InvitationRow, 'swarm_id' | 'resource_id'>): Statement[] => [
  incrementVersion(swarm_id),
  { sql: 'SELECT 1 FROM resources WHERE id = $1 FOR SHARE', params: [resource_id] },
];

import type { Invitation, InvitationSend } from '../contract.ts';
import { idFormat } from '../limits/field-limits.ts';
import { quotaExceeded } from '../limits/quotas.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import { invitationOf } from '../store/invitation-record.ts';
import { firstRow, sql } from '../store/statement.ts';
import type { Statement, Value } from '../store/statement.ts';
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
      const { to, resource_id, resource_type, description } = body;
      const at = now().toISOString();
      const params: Value[] = [id, from, to, swarmId, resource_id, resource_type, description ?? null, at];
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
        {
          sql: `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, description, sent_at,
                                         status, created_at)
                SELECT $1, $2, $3, id, $5, $6, $7, greatest($8, created_at), 'new', greatest($8, created_at)
                FROM swarms
                WHERE id = $4 AND NOT EXISTS (SELECT 1 FROM memberships WHERE swarm_id = $4 AND resource_id = $5
                                              AND resource_type IN ($6, 'both'))
                ON CONFLICT (swarm_id, resource_id, resource_type) WHERE status = 'new'
                DO UPDATE SET sent_at = greatest(invitations.sent_at, excluded.sent_at), description = excluded.description
                RETURNING id, sent_at`,
          params,
          orFail: 'has role',
          isResult: true,
        },
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
      const { id, to, swarm_id, resource_id, resource_type } = invitation;
      const state = status === 'accept' ? 'accepted' : 'rejected';
      const answered: Statement<'not new'> = {
        sql: `UPDATE invitations SET status = '${state}', ${state}_at = greatest(sent_at, $1)
              WHERE id = $2 AND status = 'new' RETURNING ${columns}`,
        params: [at, id],
        orFail: 'not new',
        isResult: true,
      };
      // The new version comes first: it locks the swarm, so that nobody sends an invitation for the same role meanwhile.
      // The resource comes before the invitation, as when it is destroyed.
      const locked: Statement[] = [
        incrementVersion(swarm_id),
        { sql: 'SELECT 1 FROM resources WHERE id = $1 FOR SHARE', params: [resource_id] },
      ];
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
      const statements = status === 'accept' ? [...locked, answered, ...joined] : [answered];
      const written = await db.write([...statements, noted, older]);
      if (written.ok) return invitationOf(firstRow<Row>(written.rows));
      if (written.failed === 'too many members') throw quotaExceeded('members', quotas);
      return undefined;
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

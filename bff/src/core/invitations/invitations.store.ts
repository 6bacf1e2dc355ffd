import type { Invitation } from '../../contract.ts';
import { idFormat } from '../limits/field-rules.ts';
import { invitationLimits } from '../limits/part-limits.ts';
import type { Database } from '../store/database.ts';
import { invitationOf, isOfEitherRole } from '../store/invitation-record.ts';
import type { Statement } from '../store/statement.ts';
import type { InvitationRow } from '../store/row-types.ts';
import { invitationActivity } from '../activity/activity.store.ts';
import { chunkSql } from '../endpoint/chunk-sql.ts';
import { arrayOf, chunksOf, jsonOf } from '../endpoint/list-chunks.ts';
import { mayStill } from '../endpoint/write-checks.store.ts';
import { join, writeAnswer, type Answer, type Joining } from './answers.store.ts';
import { columns, deletedAtOnce, type Deps, type Row } from './invitation-row.ts';
import { send, type Sent } from './send-invitation.store.ts';

const list = (where: string) => chunkSql({ columns, time: 'created_at', id: 'id', from: 'invitations', where });
const lists = {
  swarm: list('swarm_id = $3'),
  resource: list('resource_id = $3 AND "to" = $4'),
  user: list('"to" = $3'),
};

export function createInvitations({
  db,
  quotas,
  now,
  mostAnsweredOfSender = invitationLimits.answeredOfSender,
}: Deps & { mostAnsweredOfSender?: number }) {
  const listBy = (select: string, ...keys: readonly string[]) =>
    arrayOf(
      jsonOf(
        chunksOf({
          read: (after) => db.read<Row>({ sql: select, params: [...after, ...keys] }),
          keyOf: ({ created_at, id }) => [created_at, id],
          recordOf: invitationOf,
        }),
      ),
    );

  return {
    ofSwarm: (swarmId: string) => listBy(lists.swarm, swarmId),
    /** The invitations of a device to this user: a client may still read on after the device was handed over. */
    ofResource: ({ resourceId, userId }: Record<'resourceId' | 'userId', string>) =>
      listBy(lists.resource, resourceId, userId),
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

    send: (invitation: Sent) => send({ db, quotas, now }, invitation),
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

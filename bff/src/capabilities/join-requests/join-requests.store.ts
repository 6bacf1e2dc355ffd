import type { BlockedUser, JoinRequest } from '../../contract.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { idFormat } from '../../core/limits/field-rules.ts';
import { requestLimits } from './limits.ts';
import type { Database } from '../../core/store/database.ts';
import type { JoinRequestRow } from '../../core/store/row-types.ts';
import { searchText } from '../../core/store/search-text.ts';
import { raw, type Statement } from '../../core/store/statement.ts';
import { isBlocked, isOpen } from '../../core/store/visibility.ts';
import { requestActivity } from '../../core/activity/activity.store.ts';
import type { Claim } from '../../core/endpoint/idempotency.store.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import { lockIfAllowed, mayStill } from '../../core/endpoint/write-checks.store.ts';
import { chunkSql } from '../../core/endpoint/chunk-sql.ts';
import { arrayOf, chunksOf, jsonOf } from '../../core/endpoint/list-chunks.ts';

const columns = `id, swarm_id, swarm_name, user_id, resource_id, resource_name, machine_type, resource_type, message,
  asked_at, status, ended_at, ends_at`;
const list = (where: string) => chunkSql({ columns, time: 'asked_at', id: 'id', from: 'join_requests', where });
const lists = {
  swarm: list(`swarm_id = $3 AND status = 'new'`),
  user: list(`user_id = $3 AND status <> 'withdrawn'`),
};

type SendFault =
  | 'no user'
  | 'not accepted'
  | 'no resource'
  | 'has role'
  | 'exists'
  | 'too soon'
  | 'too many open'
  | 'too many in swarm'
  | 'too many today';

export type JoinRequests = ReturnType<typeof createJoinRequests>;

/** Users ask to join a swarm with their resources. */
export function createJoinRequests({ db, now }: { db: Database; now: () => Date }) {
  const listBy = (select: string, key: string) =>
    arrayOf(
      jsonOf(
        chunksOf({
          read: (after) => db.read<JoinRequestRow>({ sql: select, params: [...after, key] }),
          keyOf: ({ asked_at, id }) => [asked_at, id],
          recordOf: requestOf,
        }),
      ),
    );

  async function end(ended: {
    id: string;
    actor: string;
    as: 'rejected' | 'withdrawn';
    checks: readonly Statement<'not allowed'>[];
  }): Promise<boolean> {
    const { id, actor, as, checks } = ended;
    const at = now().toISOString();
    const written = await db.write([
      ...checks,
      {
        sql: `UPDATE join_requests SET status = $2, ended_at = greatest(asked_at, $3) WHERE id = $1 AND status = 'new'`,
        params: [id, as, at],
        orFail: 'not new',
      },
      requestActivity({ kind: `invitation.request_${as}`, actor, at, id }),
    ]);
    return written.ok;
  }

  return {
    /** The open ones. */
    ofSwarm: (swarmId: string) => listBy(lists.swarm, swarmId),
    /** The requests that the user has not withdrawn. */
    ofUser: (userId: string) => listBy(lists.user, userId),

    async find(id: string): Promise<JoinRequest | undefined> {
      if (!idFormat.test(id)) return undefined;
      const select = `SELECT ${columns} FROM join_requests WHERE id = $1 AND status <> 'withdrawn'`;
      const [found] = await db.read<JoinRequestRow>({ sql: select, params: [id] });
      return found && requestOf(found);
    },

    /** Whether links of the swarm may show the device, which only its owner knows before. Undefined if the owner has not said it. */
    async isShown(id: string): Promise<boolean | undefined> {
      const sql = 'SELECT shown_by_links FROM join_requests WHERE id = $1 AND shown_by_links <> 0';
      const [said] = await db.read<{ shown_by_links: number }>({ sql, params: [id] });
      return said && said.shown_by_links > 0;
    },

    send: (newRequest: SentRequest) => send(db, newRequest),

    /** Accepts a request. The caller makes the resource a member in the same write. */
    accepting: (accepted: Record<'id' | 'swarmId' | 'actor', string>): Statement<'not new' | 'not allowed'>[] => {
      const { id, swarmId, actor } = accepted;
      const at = now().toISOString();
      return [
        mayStill({ operation: 'answerJoinRequest', swarmId, userId: actor }),
        {
          sql: `UPDATE join_requests SET status = 'accepted', ended_at = greatest(asked_at, $2)
                WHERE id = $1 AND status = 'new'`,
          params: [id, at],
          orFail: 'not new',
        },
        requestActivity({ kind: 'invitation.request_accepted', actor, at, id }),
      ];
    },

    /** Returns false if it is not open, or the actor does not manage the swarm any more. */
    reject: ({ id, swarmId, actor }: Record<'id' | 'swarmId' | 'actor', string>) =>
      end({
        id,
        actor,
        as: 'rejected',
        checks: lockIfAllowed({ operation: 'answerJoinRequest', swarmId, userId: actor }),
      }),
    /** Returns false if it is not open. */
    withdraw: ({ id, actor }: Record<'id' | 'actor', string>) => end({ id, actor, as: 'withdrawn', checks: [] }),

    /** The users who may not ask to join, those first who were blocked first. */
    blocked: (swarmId: string) =>
      db.read<BlockedUser>({
        sql: 'SELECT user_id, blocked_at FROM blocked_users WHERE swarm_id = $1 ORDER BY blocked_at, user_id',
        params: [swarmId],
      }),

    /**
     * Only a user who has asked to join can be blocked, so that nobody learns whether another user exists. Also rejects the
     * user's open requests. Blocking a user again changes nothing.
     */
    async block(options: {
      swarmId: string;
      userId: string;
      actor: string;
    }): Promise<'no request' | 'not allowed' | 'too many' | undefined> {
      const { swarmId, userId, actor } = options;
      const at = now().toISOString();
      const written = await db.write([
        ...lockIfAllowed({ operation: 'blockUser', swarmId, userId: actor }),
        {
          sql: `SELECT 1 WHERE EXISTS (SELECT 1 FROM join_requests WHERE swarm_id = $1 AND user_id = $2)
                  OR EXISTS (SELECT 1 FROM blocked_users WHERE swarm_id = $1 AND user_id = $2)`,
          params: [swarmId, userId],
          orFail: 'no request',
        },
        {
          sql: `INSERT INTO blocked_users VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
          params: [swarmId, userId, at],
        },
        {
          sql: `SELECT 1 WHERE (SELECT count(*) FROM blocked_users WHERE swarm_id = $1) <= $2`,
          params: [swarmId, requestLimits.blocked],
          orFail: 'too many',
        },
        requestActivity({ kind: 'invitation.request_rejected', actor, at, openOf: { swarmId, userId } }),
        {
          sql: `UPDATE join_requests SET status = 'rejected', ended_at = greatest(asked_at, $2)
                WHERE swarm_id = $1 AND user_id = $3 AND status = 'new'`,
          params: [swarmId, at, userId],
        },
      ]);
      return written.ok ? undefined : written.failed;
    },

    /** Returns false if the actor does not manage the swarm any more. */
    async unblock({ swarmId, userId, actor }: Record<'swarmId' | 'userId' | 'actor', string>): Promise<boolean> {
      const written = await db.write([
        ...lockIfAllowed({ operation: 'unblockUser', swarmId, userId: actor }),
        { sql: 'DELETE FROM blocked_users WHERE swarm_id = $1 AND user_id = $2', params: [swarmId, userId] },
      ]);
      return written.ok;
    },
  };
}

interface SentRequest {
  request: JoinRequest;
  isShown: boolean | undefined;
  stored: string;
  claim: Claim;
}

async function send(db: Database, newRequest: SentRequest): Promise<'sent' | SendFault> {
  const { request, isShown, stored, claim } = newRequest;
  const { id, user_id: userId, swarm_id: swarmId, resource_id, resource_type, asked_at: at } = request;
  const dayAgo = new Date(Date.parse(at) - dayMs).toISOString();
  const written = await db.write([
    // An account that ends deletes its requests. Both locks are for the counts: of the user's requests, and of the swarm's.
    lockUser(userId),
    {
      sql: `SELECT 1 FROM swarms s WHERE id = $1 AND user_id NOT IN ('', $2) AND public = 1 AND accepts_requests = 1
              AND NOT (${isBlocked(raw('$2')).sql}) FOR UPDATE`,
      params: [swarmId, userId],
      orFail: 'not accepted',
    },
    {
      sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2 FOR SHARE',
      params: [resource_id, userId],
      orFail: 'no resource',
    },
    {
      sql: `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM memberships WHERE swarm_id = $1 AND resource_id = $2
              AND resource_type IN ($3, 'both') AND ${isOpen('memberships')})`,
      params: [swarmId, resource_id, resource_type],
      orFail: 'has role',
    },
    {
      sql: `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM join_requests WHERE swarm_id = $1 AND resource_id = $2
              AND status = 'new')`,
      params: [swarmId, resource_id],
      orFail: 'exists',
    },
    {
      sql: `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM join_requests WHERE swarm_id = $1 AND resource_id = $2
              AND status = 'rejected' AND ended_at > $3)`,
      params: [swarmId, resource_id, dayAgo],
      orFail: 'too soon',
    },
    {
      sql: `SELECT 1 WHERE (SELECT count(*) FROM join_requests WHERE user_id = $1 AND status = 'new') < $2`,
      params: [userId, requestLimits.open],
      orFail: 'too many open',
    },
    {
      sql: `SELECT 1 WHERE (SELECT count(*) FROM join_requests WHERE swarm_id = $1 AND status = 'new') < $2`,
      params: [swarmId, requestLimits.ofSwarm],
      orFail: 'too many in swarm',
    },
    {
      sql: `SELECT 1 WHERE (SELECT count(*) FROM join_requests WHERE user_id = $1 AND asked_at > $2) < $3
              AND (SELECT count(*) FROM join_requests WHERE user_id = $1 AND asked_at > $2 AND swarm_id = $4) < $5`,
      params: [userId, dayAgo, requestLimits.aDay, swarmId, requestLimits.aDayToSwarm],
      orFail: 'too many today',
    },
    {
      sql: `INSERT INTO join_requests (id, swarm_id, swarm_name, user_id, resource_id, resource_name, resource_folded,
              machine_type, resource_type, message, asked_at, status, ends_at, shown_by_links)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'new', $12, CAST($13 AS bigint))`,
      params: [
        id,
        swarmId,
        request.swarm_name,
        userId,
        resource_id,
        request.resource_name,
        searchText(request.resource_name),
        request.machine_type,
        resource_type,
        request.message ?? null,
        at,
        request.ends_at ?? null,
        // 0: not said.
        isShown === undefined ? 0 : isShown ? 1 : -1,
      ],
    },
    // Requests of the last day stay, because they count.
    {
      sql: `DELETE FROM join_requests WHERE changed_at <= $2 AND id IN (SELECT id FROM join_requests
              WHERE user_id = $1 AND status IN ('accepted', 'rejected', 'withdrawn')
              ORDER BY changed_at DESC, id DESC LIMIT ${requestLimits.kept} OFFSET ${requestLimits.kept})`,
      params: [userId, dayAgo],
    },
    requestActivity({ kind: 'invitation.requested', actor: userId, at, id }),
    ...claim(() => stored),
  ]);
  return written.ok ? 'sent' : written.failed;
}

function requestOf(row: JoinRequestRow): JoinRequest {
  const { message, ended_at, ends_at, status } = row;
  return {
    id: row.id,
    swarm_id: row.swarm_id,
    swarm_name: row.swarm_name,
    user_id: row.user_id,
    resource_id: row.resource_id,
    resource_name: row.resource_name,
    machine_type: row.machine_type,
    resource_type: row.resource_type,
    ...(message !== null && { message }),
    ...(ends_at !== null && { ends_at }),
    asked_at: row.asked_at,
    // `find` and the lists leave out those that were withdrawn.
    status: status as JoinRequest['status'],
    ...(ended_at !== null && { answered_at: ended_at }),
  };
}

/** The activity log as its user reads it. `activity.store.ts` has what is appended to it. */
import type { Activity, ActivityKind, ActivityPage, ActivityTopic } from '../../contract.ts';
import { dayMs } from '../limits/durations.ts';
import { serverActor } from '../limits/field-rules.ts';
import { activityLimits } from '../limits/part-limits.ts';
import type { Requester, FairQueue } from '../limits/fair-queue.ts';
import { createLongReads } from '../limits/long-reads.ts';
import type { Database } from '../store/database.ts';
import type { ActivityRow } from '../store/row-types.ts';
import { raw, sql, type Sql } from '../store/statement.ts';
import {
  accountActivity,
  audienceActivity,
  endedMembersActivity,
  requestActivity,
  endingActivity,
  managerActivity,
  importActivity,
  silenceActivity,
  swarmSilenceActivity,
} from './activity.store.ts';
import { sameAction } from './same-action.shape.ts';

const ageLimitMs = activityLimits.days * dayMs;
const purgeSize = 500;
/** So many of the newest unread entries are counted. */
const mostCounted = 1000;

type ShownRow = Omit<ActivityRow, 'user_id'>;
const shownColumns = `seq, at, kind, actor, resource_id, resource_name, resource_owner, swarm_id, swarm_name, detail, amount`;

const lastRead = 'coalesce((SELECT seq FROM activity_read WHERE user_id = $1), 0)';
/** A bulk action writes an entry for each device, which are shown as one. */
const isSame = `(resource_id IS NOT NULL AND actor <> '${serverActor}' AND kind <> 'resource.renamed' AND ${[
  'kind',
  'actor',
  'swarm_id',
  'detail',
]
  .map((column) => `${column} IS NOT DISTINCT FROM lag(${column}) OVER (ORDER BY seq)`)
  .join(' AND ')})`;
/** What the user did, or began as an import, is not new to them, and the inbox counts invitations and requests. */
const unreadEntries = `SELECT seq, kind, actor, resource_id, swarm_id, detail FROM activity
  WHERE user_id = $1 AND actor <> $1 AND kind NOT IN ('invitation.sent', 'invitation.resent', 'invitation.end_offered', 'invitation.requested', 'resource.imported')
    AND at >= $2 AND seq > ${lastRead} ORDER BY seq DESC LIMIT ${mostCounted}`;
const selectReadState = `SELECT ${lastRead} AS read, (SELECT least(count(*), ${activityLimits.unread})
  FROM (SELECT ${isSame} AS is_same FROM (${unreadEntries}) entry) counted WHERE NOT is_same) AS unread`;

/** Whose entries are listed, and which of them. */
interface ActivityFilter {
  requester: Requester;
  resourceId: string | undefined;
  swarmId: string | undefined;
  topic: ActivityTopic | undefined;
}

function matching({ requester: { user }, resourceId, swarmId, topic }: ActivityFilter, oldest: string): Sql {
  const [resource, swarm] = [resourceId ?? null, swarmId ?? null];
  return sql`user_id = ${user} AND at >= ${oldest} AND (CAST(${resource} AS TEXT) IS NULL OR resource_id = ${resource})
    AND (CAST(${swarm} AS TEXT) IS NULL OR swarm_id = ${swarm}) AND kind LIKE ${topic ? `${topic}.%` : '%'}`;
}

export type ActivityLog = ReturnType<typeof createActivityLog>;

export function createActivityLog({ db, queue, now }: { db: Database; queue: FairQueue; now: () => Date }) {
  /** A read may go through 21,000 entries, so users take turns. */
  const readsOf = createLongReads({ db, queue });

  const oldest = () => new Date(now().getTime() - ageLimitMs).toISOString();

  return {
    /** Newest first, before the entry `before`. One more than `limit`, if there is one. */
    async list(query: ActivityFilter & { before: number | undefined; limit: number }): Promise<Activity[]> {
      const { before = null, limit } = query;
      const rows = await readsOf(query.requester).read<ShownRow>(
        sql`SELECT ${raw(shownColumns)} FROM activity WHERE ${matching(query, oldest())} AND seq < coalesce(${before}, seq + 1)
          ORDER BY seq DESC LIMIT ${limit}`,
      );
      return rows.map(activityOf);
    },

    /** The number of entries that follow `last` and tell the same of other resources, as a bulk action writes them. */
    async countSame(query: ActivityFilter, last: Activity): Promise<number> {
      const { id, at, kind, actor, swarm, detail, resource } = last;
      if (!resource) return 0;
      const where = matching(query, oldest());
      const isSame = sql`kind = ${kind} AND actor = ${actor} AND swarm_id IS NOT DISTINCT FROM ${swarm?.id ?? null}
        AND detail IS NOT DISTINCT FROM ${detail ?? null}`;
      const other = sql`SELECT seq FROM activity WHERE ${where} AND seq < ${id} AND NOT (${isSame}) ORDER BY seq DESC LIMIT 1`;
      const [same] = await readsOf(query.requester).read<{ count: number }>({
        ...sql`SELECT at FROM activity WHERE ${where} AND seq < ${id} AND seq > coalesce((${other}), 0) ORDER BY seq DESC`,
        shape: sameAction({ after: at }),
      });
      return same!.count;
    },

    async readState(requester: Requester): Promise<Pick<ActivityPage, 'read' | 'unread'>> {
      const [state] = await readsOf(requester).read<{ read: number; unread: number }>({
        sql: selectReadState,
        params: [requester.user, oldest()],
      });
      return state!;
    },

    /** Marks an entry and all older ones as read. */
    async markRead({ userId, id }: { userId: string; id: number }): Promise<void> {
      await db.write([
        {
          sql: `INSERT INTO activity_read (user_id, seq)
                SELECT username, least($2, (SELECT coalesce(max(seq), 0) FROM activity WHERE user_id = $1))
                FROM "user" WHERE username = $1
                ON CONFLICT (user_id) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > activity_read.seq`,
          params: [userId, id],
        },
      ]);
    },

    /** For the writes of other modules. */
    silenceActivity,
    swarmSilenceActivity,
    audienceActivity,
    endedMembersActivity,
    endingActivity,
    managerActivity,
    importActivity,
    requestActivity,
    ofAccount: (entry: Omit<Parameters<typeof accountActivity>[0], 'at'>) =>
      accountActivity({ ...entry, at: now().toISOString() }),

    async record({
      detail = null,
      ...entry
    }: {
      kind: Extract<ActivityKind, `account.${string}`>;
      userId: string;
      actor?: string;
      detail?: string | null;
    }) {
      const at = now().toISOString();
      await db.write([accountActivity({ ...entry, at, detail: sql`CAST(${detail} AS text)` })]);
    },

    /** Deletes the entries that are too old, a few with each write. */
    async purge(): Promise<void> {
      const sql = `DELETE FROM activity WHERE (user_id, seq) IN
        (SELECT user_id, seq FROM activity WHERE at < $1 LIMIT ${purgeSize})`;
      while ((await db.write([{ sql, params: [oldest()], orFail: 'nothing left' }])).ok);
    },
  };
}

function activityOf(row: ShownRow): Activity {
  const { seq, at, kind, actor, resource_id, resource_name, resource_owner, swarm_id, swarm_name, detail, amount } =
    row;
  return {
    id: seq,
    at,
    kind,
    actor,
    ...(resource_id !== null && {
      resource: { id: resource_id, ...(resource_name !== null && { name: resource_name }), user_id: resource_owner! },
    }),
    ...(swarm_id !== null && { swarm: { id: swarm_id, name: swarm_name! } }),
    ...(detail !== null && { detail }),
    ...(amount !== null && { amount }),
  };
}

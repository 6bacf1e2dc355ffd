/** The deliveries of notices to webhooks and browsers: what is due, and what has become of each. */
import type { ActivityKind } from '../../contract.ts';
import { minuteMs } from '../../core/limits/durations.ts';
import type { Database } from '../../core/store/database.ts';
import { isOfEitherRole } from '../../core/store/invitation-record.ts';
import { deliverySource } from '../../core/store/schema/tables.ts';
import { firstRow, type Statement } from '../../core/store/statement.ts';

/** In ms, after each attempt: five within an hour. */
const delays = [1, 4, 15, 40].map((minutes) => minutes * minuteMs);
/** In ms: longer than an attempt takes. Another process repeats that of a process that has ended. */
const claimedMs = 60_000;

/** What is sent. A trigger appends it with the entry of the activity. */
export interface DeliveryRow {
  seq: number;
  user_id: string;
  /** The session of the browser that it is for; null if it is for the webhook. */
  session_id: string | null;
  at: string;
  kind: ActivityKind | 'test';
  resource_id: string | null;
  resource_name: string | null;
  swarm_id: string | null;
  swarm_name: string | null;
  amount: number | null;
  detail: string | null;
  attempts: number;
  tried_at: string | null;
  /** The time in ms; null if no attempt follows. */
  next_at: number | null;
  status: number | null;
  answer: string | null;
}

export type DueDelivery = Pick<DeliveryRow, 'user_id' | 'seq'>;

export const deliveryColumns = [
  'seq',
  'user_id',
  'session_id',
  'at',
  'kind',
  'resource_id',
  'resource_name',
  'swarm_id',
  'swarm_name',
  'amount',
  'detail',
  'attempts',
  'tried_at',
  'next_at',
  'status',
  'answer',
].join(', ');

/** The webhook of a user, or with `session` the browser of it. */
interface Target {
  user: string;
  session?: string | null;
}

export const dropped = ({ user, session = null }: Target): Statement => ({
  sql: 'DELETE FROM webhook_deliveries WHERE user_id = $1 AND session_id IS NOT DISTINCT FROM $2',
  params: [user, session],
});

/** Deletes a delivery to a browser after its last attempt: only a webhook has results, and a push service that refuses. */
const endedPush = (seq: number): Statement => ({
  sql: 'DELETE FROM webhook_deliveries WHERE seq = $1 AND session_id IS NOT NULL AND next_at IS NULL',
  params: [seq],
});

const endedPushes = ({ session, but }: { session: string; but: number }): Statement => ({
  sql: 'DELETE FROM webhook_deliveries WHERE session_id = $1 AND next_at IS NULL AND seq <> $2',
  params: [session, but],
});

/** A push service that refuses the server, for example its signature. 404 and 410 are about the browser, 429 about the time. */
export const isRefused = (status: number | null) =>
  status !== null && status >= 400 && status < 500 && ![404, 410, 429].includes(status);

export const isDelivered = (status: number | null) => status !== null && status >= 200 && status < 300;

export function createDeliveryStore({ db, now }: { db: Database; now: () => Date }) {
  /** No attempt is later than this, unless the clock was set back. */
  const latest = () => now().getTime() + delays.at(-1)! + claimedMs;

  return {
    /** Deletes what waits for a webhook or a browser that is gone, or whose user is disabled. */
    drop: async (target: Target) => void (await db.write([dropped(target)])),

    /** The id of the open invitation of a notice about one. */
    async openInvitation({ resource_id, swarm_id, detail }: DeliveryRow): Promise<string | undefined> {
      // The detail is the role, or the later end that is offered.
      const sql = `SELECT id FROM invitations
        WHERE resource_id = $1 AND swarm_id = $2 AND $3 IN (resource_type, ends_at) AND status = 'new' AND ${isOfEitherRole}`;
      return (await db.read<{ id: string }>({ sql, params: [resource_id, swarm_id, detail] }))[0]?.id;
    },

    /**
     * The oldest delivery that is due of each user but these, first what the server tells, such as silent devices. First of those
     * who have waited longest.
     */
    due: ({ most, but }: { most: number; but: readonly string[] }) =>
      db.read<DueDelivery>({
        sql: `SELECT user_id, coalesce(min(CASE WHEN ${deliverySource} = 'server' THEN seq END), min(seq)) AS seq
              FROM webhook_deliveries WHERE (next_at <= $1 OR next_at > $3)
                AND user_id NOT IN (SELECT value FROM elements($4))
              GROUP BY user_id ORDER BY min(next_at), min(seq) LIMIT $2`,
        params: [now().getTime(), most, latest(), JSON.stringify(but)],
        isLong: true,
      }),

    /** Takes a delivery for one attempt; undefined if another process has taken it. */
    async claim(seq: number): Promise<DeliveryRow | undefined> {
      const at = now();
      const written = await db.write([
        {
          sql: `UPDATE webhook_deliveries SET attempts = attempts + 1, tried_at = $2,
                  next_at = CASE WHEN attempts <= ${delays.length} THEN CAST($3 AS bigint) END
                WHERE seq = $1 AND (next_at <= $4 OR next_at > $5) RETURNING ${deliveryColumns}`,
          params: [seq, at.toISOString(), at.getTime() + claimedMs, at.getTime(), latest()],
          orFail: 'taken',
          isResult: true,
        },
        endedPush(seq),
      ]);
      const row = written.ok ? firstRow<DeliveryRow>(written.rows) : undefined;
      // A process has ended during the last attempt.
      return row?.next_at === null ? undefined : row;
    },

    /** A stop has ended this attempt, which does not count. */
    giveBack: async ({ seq, attempts }: DeliveryRow) =>
      void (await db.write([
        {
          sql: `UPDATE webhook_deliveries SET attempts = attempts - 1, next_at = 0 WHERE seq = $1 AND attempts = $2`,
          params: [seq, attempts],
        },
      ])),

    /**
     * Other deliveries to an address that fails wait too, so that it takes one slot in a minute, and so do all of a user who
     * rests: what is not due is not read. A test is not repeated.
     */
    async finish(finished: DeliveryRow & { restMs: number }) {
      const { seq, user_id, session_id, kind, attempts, status, answer, restMs } = finished;
      const isDone = isDelivered(status);
      const delay = isDone || kind === 'test' ? undefined : delays[attempts - 1];
      const next = delay === undefined ? null : now().getTime() + delay;
      const sql = `UPDATE webhook_deliveries SET status = $3, answer = $4, next_at = $5 WHERE seq = $1 AND attempts = $2`;
      const postponeOthers = `UPDATE webhook_deliveries SET next_at = $3
        WHERE user_id = $1 AND session_id IS NOT DISTINCT FROM $2 AND next_at < $3 AND kind <> 'test'`;
      const postponeAll = `UPDATE webhook_deliveries SET next_at = $2 WHERE user_id = $1 AND next_at < $2 AND kind <> 'test'`;
      await db.write([
        { sql, params: [seq, attempts, status, answer, next] },
        ...(isDone ? [] : [{ sql: postponeOthers, params: [user_id, session_id, now().getTime() + delays[0]!] }]),
        ...(restMs > 0 ? [{ sql: postponeAll, params: [user_id, now().getTime() + restMs] }] : []),
        // A refusal is kept for the user, until another message ends.
        ...(session_id === null || next !== null
          ? []
          : [endedPushes({ session: session_id, but: isRefused(status) ? seq : 0 })]),
      ]);
    },
  };
}

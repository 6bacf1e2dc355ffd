import type { ActivityKind, Webhook, WebhookResult } from '../contract.ts';
import { webhookLimits } from '../limits/field-rules.ts';
import type { Database } from '../store/database.ts';
import { firstRow, type Statement } from '../store/statement.ts';
import { lockUser } from '../store/user-locks.ts';

/** In ms, after each attempt: five within an hour. */
const delays = [1, 4, 15, 40].map((minutes) => minutes * 60_000);
/** In ms: longer than an attempt takes. Another process repeats that of a process that has ended. */
const claimedMs = 60_000;

/** What is sent. A trigger appends it with the entry of the activity. */
export interface DeliveryRow {
  seq: number;
  user_id: string;
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
  /** In ms; null: no attempt follows. */
  next_at: number | null;
  status: number | null;
  answer: string | null;
}

interface WebhookRow {
  url: string;
  sealed: Uint8Array;
  created_at: string;
}

const dropped = (user: string): Statement => ({
  sql: 'DELETE FROM webhook_deliveries WHERE user_id = $1',
  params: [user],
});

const isDelivered = (status: number | null) => status !== null && status >= 200 && status < 300;

export function createWebhookStore({ db, now }: { db: Database; now: () => Date }) {
  /** No attempt is later than this, unless the clock was set back. */
  const latest = () => now().getTime() + delays.at(-1)! + claimedMs;

  async function find(user: string): Promise<WebhookRow | undefined> {
    const sql = `SELECT w.url, w.sealed, w.created_at FROM webhooks w JOIN "user" u ON u.username = w.user_id
      WHERE w.user_id = $1 AND u.disabled_at IS NULL`;
    return (await db.read<WebhookRow>({ sql, params: [user] }))[0];
  }

  return {
    find,

    /** With its last results. */
    async read(user: string): Promise<Webhook | null> {
      const found = await find(user);
      if (!found) return null;
      const rows = await db.read<DeliveryRow>({
        sql: 'SELECT * FROM webhook_deliveries WHERE user_id = $1 ORDER BY seq DESC LIMIT $2',
        params: [user, webhookLimits.shown],
      });
      return { url: found.url, created_at: found.created_at, results: rows.map(resultOf) };
    },

    /** Returns false if the user was deleted. */
    async put({ user, url, sealed }: { user: string; url: string; sealed: Uint8Array }): Promise<boolean> {
      const { ok } = await db.write([
        lockUser(user),
        // What waits is for the old address, and so are the results.
        {
          sql: `DELETE FROM webhook_deliveries WHERE user_id = $1
                AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = $1 AND url <> $2)`,
          params: [user, url],
        },
        {
          sql: `INSERT INTO webhooks (user_id, url, sealed, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (user_id)
                DO UPDATE SET url = excluded.url, sealed = excluded.sealed, created_at = excluded.created_at`,
          params: [user, url, sealed, now().toISOString()],
        },
      ]);
      return ok;
    },

    async remove(user: string): Promise<void> {
      await db.write([{ sql: 'DELETE FROM webhooks WHERE user_id = $1', params: [user] }, dropped(user)]);
    },
    /** Deletes what waits for a user who has no webhook, or is disabled. */
    drop: async (user: string) => void (await db.write([dropped(user)])),

    /** One test at a time. Returns false if there is no webhook. */
    async addTest(user: string): Promise<boolean> {
      const { ok } = await db.write([
        { sql: 'SELECT 1 FROM webhooks WHERE user_id = $1 FOR UPDATE', params: [user], orFail: 'no webhook' },
        {
          sql: `INSERT INTO webhook_deliveries (user_id, at, kind, next_at) SELECT $1, $2, 'test', 0 WHERE NOT EXISTS
                (SELECT 1 FROM webhook_deliveries WHERE user_id = $1 AND kind = 'test' AND next_at IS NOT NULL)`,
          params: [user, now().toISOString()],
        },
      ]);
      return ok;
    },

    /** The oldest delivery that is due of each user, first of those who have waited longest. */
    due: (most: number) =>
      db.read<Pick<DeliveryRow, 'user_id' | 'seq'>>({
        sql: `SELECT user_id, min(seq) AS seq FROM webhook_deliveries WHERE next_at <= $1 OR next_at > $3
              GROUP BY user_id ORDER BY min(next_at), min(seq) LIMIT $2`,
        params: [now().getTime(), most, latest()],
        isLong: true,
      }),

    /** Takes a delivery for one attempt; undefined if another process has taken it. */
    async claim(seq: number): Promise<DeliveryRow | undefined> {
      const at = now();
      const written = await db.write([
        {
          sql: `UPDATE webhook_deliveries SET attempts = attempts + 1, tried_at = $2,
                  next_at = CASE WHEN attempts <= ${delays.length} THEN CAST($3 AS bigint) END
                WHERE seq = $1 AND (next_at <= $4 OR next_at > $5) RETURNING *`,
          params: [seq, at.toISOString(), at.getTime() + claimedMs, at.getTime(), latest()],
          orFail: 'taken',
          isResult: true,
        },
      ]);
      const row = written.ok ? firstRow<DeliveryRow>(written.rows) : undefined;
      // A process has ended during the last attempt.
      return row?.next_at === null ? undefined : row;
    },

    /** Other deliveries to an address that fails wait too, so that it takes one place in a minute. A test is not repeated. */
    async finish(row: Pick<DeliveryRow, 'seq' | 'user_id' | 'kind' | 'attempts' | 'status' | 'answer'>) {
      const { seq, user_id, kind, attempts, status, answer } = row;
      const isDone = isDelivered(status);
      const delay = isDone || kind === 'test' ? undefined : delays[attempts - 1];
      const next = delay === undefined ? null : now().getTime() + delay;
      const sql = `UPDATE webhook_deliveries SET status = $3, answer = $4, next_at = $5 WHERE seq = $1 AND attempts = $2`;
      const wait = `UPDATE webhook_deliveries SET next_at = $2 WHERE user_id = $1 AND next_at < $2 AND kind <> 'test'`;
      await db.write([
        { sql, params: [seq, attempts, status, answer, next] },
        ...(isDone ? [] : [{ sql: wait, params: [user_id, now().getTime() + delays[0]!] }]),
      ]);
    },
  };
}

function resultOf(row: DeliveryRow): WebhookResult {
  const { seq, kind, at, attempts, tried_at, next_at, status, answer } = row;
  const state = next_at !== null ? 'waiting' : isDelivered(status) ? 'delivered' : 'failed';
  const next = next_at === null ? null : next_at === 0 ? at : new Date(next_at).toISOString();
  return { id: String(seq), kind, at, state, attempts, tried_at, next_at: next, status, answer };
}

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

const isDelivered = (status: number | null) => status !== null && status >= 200 && status < 300;

export function createWebhookStore({ db, now }: { db: Database; now: () => Date }) {
  async function find(user: string): Promise<WebhookRow | undefined> {
    const sql = 'SELECT url, sealed, created_at FROM webhooks WHERE user_id = $1';
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
        {
          sql: `INSERT INTO webhooks (user_id, url, sealed, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (user_id)
                DO UPDATE SET url = excluded.url, sealed = excluded.sealed, created_at = excluded.created_at`,
          params: [user, url, sealed, now().toISOString()],
        },
      ]);
      return ok;
    },

    async remove(user: string): Promise<void> {
      await db.write(
        ['webhooks', 'webhook_deliveries'].map((table) => ({
          sql: `DELETE FROM ${table} WHERE user_id = $1`,
          params: [user],
        })),
      );
    },

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

    /** The oldest delivery that is due of each user. */
    due: (most: number) =>
      db.read<Pick<DeliveryRow, 'user_id' | 'seq'>>({
        sql: `SELECT user_id, min(seq) AS seq FROM webhook_deliveries WHERE next_at <= $1 GROUP BY user_id LIMIT $2`,
        params: [now().getTime(), most],
      }),

    /** Takes a delivery for one attempt; undefined if another process has taken it. */
    async claim(seq: number): Promise<DeliveryRow | undefined> {
      const at = now();
      const written = await db.write([
        {
          sql: `UPDATE webhook_deliveries SET attempts = attempts + 1, tried_at = $2, next_at = $3
                WHERE seq = $1 AND next_at <= $4 RETURNING *`,
          params: [seq, at.toISOString(), at.getTime() + claimedMs, at.getTime()],
          orFail: 'taken',
          isResult: true,
        },
      ]);
      return written.ok ? firstRow<DeliveryRow>(written.rows) : undefined;
    },

    async finish({ seq, attempts, status, answer }: Pick<DeliveryRow, 'seq' | 'attempts' | 'status' | 'answer'>) {
      const delay = isDelivered(status) ? undefined : delays[attempts - 1];
      const next = delay === undefined ? null : now().getTime() + delay;
      const sql = `UPDATE webhook_deliveries SET status = $3, answer = $4, next_at = $5 WHERE seq = $1 AND attempts = $2`;
      await db.write([{ sql, params: [seq, attempts, status, answer, next] }]);
    },

    /** After a change of the server's secret. */
    async sealAllAgain(sealAgain: (given: { sealed: Uint8Array; owner: string }) => Uint8Array | undefined) {
      const rows = await db.read<WebhookRow & { user_id: string }>({ sql: 'SELECT user_id, sealed FROM webhooks' });
      const statements = rows.flatMap(({ user_id, sealed }): Statement[] => {
        const again = sealAgain({ sealed, owner: user_id });
        const sql = 'UPDATE webhooks SET sealed = $2 WHERE user_id = $1 AND sealed = $3';
        return again ? [{ sql, params: [user_id, again, sealed] }] : [];
      });
      for (const statement of statements) await db.write([statement]);
    },
  };
}

function resultOf(row: DeliveryRow): WebhookResult {
  const { seq, kind, at, attempts, tried_at, next_at, status, answer } = row;
  const state = next_at !== null ? 'waiting' : isDelivered(status) ? 'delivered' : 'failed';
  const next = next_at === null ? null : next_at === 0 ? at : new Date(next_at).toISOString();
  return { id: String(seq), kind, at, state, attempts, tried_at, next_at: next, status, answer };
}

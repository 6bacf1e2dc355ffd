/** The webhooks of users, with the results of their last deliveries. */
import type { Webhook, WebhookResult } from '../contract.ts';
import { webhookLimits } from '../limits/part-limits.ts';
import type { Database } from '../store/database.ts';
import { lockUser } from '../store/user-locks.ts';
import { deliveryColumns, dropped, isDelivered, type DeliveryRow } from './deliveries.store.ts';

interface WebhookRow {
  url: string;
  sealed: Uint8Array;
  created_at: string;
}

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore({ db, now }: { db: Database; now: () => Date }) {
  async function find(user: string): Promise<WebhookRow | undefined> {
    const sql = `SELECT w.url, w.sealed, w.created_at FROM webhooks w JOIN "user" u ON u.username = w.user_id
      WHERE w.user_id = $1 AND u.disabled_at IS NULL`;
    return (await db.read<WebhookRow>({ sql, params: [user] }))[0];
  }

  return {
    find,

    /** Returns the webhook with its last results. */
    async read(user: string): Promise<Webhook | null> {
      const found = await find(user);
      if (!found) return null;
      const rows = await db.read<DeliveryRow>({
        sql: `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE user_id = $1 AND session_id IS NULL ORDER BY seq DESC LIMIT $2`,
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
          sql: `DELETE FROM webhook_deliveries WHERE user_id = $1 AND session_id IS NULL
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
      await db.write([{ sql: 'DELETE FROM webhooks WHERE user_id = $1', params: [user] }, dropped({ user })]);
    },
    /** One test at a time. Returns false if there is no webhook. */
    async addTest(user: string): Promise<boolean> {
      const { ok } = await db.write([
        { sql: 'SELECT 1 FROM webhooks WHERE user_id = $1 FOR UPDATE', params: [user], user, orFail: 'no webhook' },
        {
          sql: `INSERT INTO webhook_deliveries (user_id, at, kind, next_at) SELECT $1, $2, 'test', 0 WHERE NOT EXISTS
                (SELECT 1 FROM webhook_deliveries WHERE user_id = $1 AND kind = 'test' AND next_at IS NOT NULL)`,
          params: [user, now().toISOString()],
        },
      ]);
      return ok;
    },
  };
}

function resultOf(row: DeliveryRow): WebhookResult {
  const { seq, kind, at, attempts, tried_at, next_at, status, answer } = row;
  const state = next_at !== null ? 'waiting' : isDelivered(status) ? 'delivered' : 'failed';
  const next = next_at === null ? null : next_at === 0 ? at : new Date(next_at).toISOString();
  return { id: String(seq), kind, at, state, attempts, tried_at, next_at: next, status, answer };
}

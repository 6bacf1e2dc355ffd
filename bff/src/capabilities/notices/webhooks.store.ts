/** The webhooks of users, with the results of their last deliveries. */
import type { Webhook, WebhookResult } from '../../contract.ts';
import { webhookLimits } from '../../core/limits/part-limits.ts';
import type { Service } from '../../service/service.ts';
import type { Database } from '../../core/store/database.ts';
import { sql } from '../../core/store/statement.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import { deliveryColumns, dropped, isDelivered, type DeliveryRow } from './deliveries.store.ts';

interface WebhookRow {
  url: string;
  sealed: Uint8Array;
  created_at: string;
}

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(deps: {
  db: Database;
  now: () => Date;
  activityOf: Service['activity']['ofAccount'];
}) {
  const { db, now, activityOf } = deps;
  async function find(user: string): Promise<WebhookRow | undefined> {
    const rows = await db.read<WebhookRow>(
      sql`SELECT w.url, w.sealed, w.created_at FROM webhooks w JOIN "user" u ON u.username = w.user_id
        WHERE w.user_id = ${user} AND u.disabled_at IS NULL`,
    );
    return rows[0];
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
      const found = sql`SELECT 1 FROM webhooks WHERE user_id = ${user}`;
      const entry = { userId: user, detail: hostOf(url) };
      const { ok } = await db.write([
        lockUser(user),
        activityOf({ ...entry, kind: 'account.webhook_changed', only: sql`EXISTS (${found})` }),
        activityOf({ ...entry, kind: 'account.webhook_added', only: sql`NOT EXISTS (${found})` }),
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
      const found = await find(user);
      if (!found) return;
      const only = sql`EXISTS (SELECT 1 FROM webhooks WHERE user_id = ${user})`;
      await db.write([
        activityOf({ userId: user, kind: 'account.webhook_removed', detail: hostOf(found.url), only }),
        { sql: 'DELETE FROM webhooks WHERE user_id = $1', params: [user] },
        dropped({ user }),
      ]);
    },
    /** One test at a time, not before `restsUntil`, in ms. Returns false if there is no webhook. */
    async addTest(user: string, restsUntil: number): Promise<boolean> {
      const { ok } = await db.write([
        { sql: 'SELECT 1 FROM webhooks WHERE user_id = $1 FOR UPDATE', params: [user], user, orFail: 'no webhook' },
        {
          sql: `INSERT INTO webhook_deliveries (user_id, at, kind, next_at) SELECT $1, $2, 'test', CAST($3 AS bigint) WHERE NOT EXISTS
                (SELECT 1 FROM webhook_deliveries WHERE user_id = $1 AND kind = 'test' AND next_at IS NOT NULL)`,
          params: [user, now().toISOString(), restsUntil],
        },
      ]);
      return ok;
    },
  };
}

/** Its path may have a secret. */
const hostOf = (url: string) => sql`CAST(${new URL(url).host} AS text)`;

function resultOf(row: DeliveryRow): WebhookResult {
  const { seq, kind, at, attempts, tried_at, next_at, status, answer } = row;
  const state = next_at !== null ? 'waiting' : isDelivered(status) ? 'delivered' : 'failed';
  const next = next_at === null ? null : next_at === 0 ? at : new Date(next_at).toISOString();
  return { id: String(seq), kind, at, state, attempts, tried_at, next_at: next, status, answer };
}

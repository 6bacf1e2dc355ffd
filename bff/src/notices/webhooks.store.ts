import type { ActivityKind, PushSubscribe, Webhook, WebhookResult } from '../contract.ts';
import { pushLimits, serverActor, webhookLimits } from '../limits/field-rules.ts';
import type { Database } from '../store/database.ts';
import { deliverySource } from '../store/schema/tables.ts';
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

const columns = [
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

interface WebhookRow {
  url: string;
  sealed: Uint8Array;
  created_at: string;
}

interface PushRow {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
  shows_names: number;
}

/** The webhook of a user, or with `session` the browser of it. */
interface Target {
  user: string;
  session?: string | null;
}

const dropped = ({ user, session = null }: Target): Statement => ({
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

const isDelivered = (status: number | null) => status !== null && status >= 200 && status < 300;

export type WebhookStore = ReturnType<typeof createWebhookStore>;

interface Parts {
  db: Database;
  now: () => Date;
}

export function createWebhookStore({ db, now }: Parts) {
  /** No attempt is later than this, unless the clock was set back. */
  const latest = () => now().getTime() + delays.at(-1)! + claimedMs;

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
        sql: `SELECT ${columns} FROM webhook_deliveries WHERE user_id = $1 AND session_id IS NULL ORDER BY seq DESC LIMIT $2`,
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
    /** Deletes what waits for a webhook or a browser that is gone, or whose user is disabled. */
    drop: async (target: Target) => void (await db.write([dropped(target)])),

    /** The browser of a session that has not ended. */
    async findPush(session: string): Promise<PushRow | undefined> {
      const sql = `SELECT p.endpoint, p.p256dh, p.auth, p.language, p.shows_names
        FROM push_subscriptions p JOIN session s ON s.id = p.session_id JOIN "user" u ON u.id = s."userId"
        WHERE p.session_id = $1 AND s."expiresAt" > $2 AND u.disabled_at IS NULL`;
      return (await db.read<PushRow>({ sql, params: [session, now().toISOString()] }))[0];
    },

    putPush: (sent: SentSubscription) => putPush({ db, now }, sent),

    /** `endpoint`: unless the browser has another one since. */
    async removePush({ user, session, endpoint }: { user: string; session: string; endpoint?: string }): Promise<void> {
      const sql = `DELETE FROM push_subscriptions WHERE session_id = $1 AND endpoint = coalesce($2, endpoint)`;
      await db.write([{ sql, params: [session, endpoint ?? null] }, dropped({ user, session })]);
    },

    /** How the push service of a browser has refused the last message that it did not take. */
    async pushRefusal({ userName, sessionId }: { userName: string; sessionId: string }) {
      const rows = await db.read<{ status: number; answer: string }>({
        sql: `SELECT status, answer FROM webhook_deliveries WHERE user_id = $1 AND session_id = $2 AND status IS NOT NULL
              ORDER BY seq DESC LIMIT 1`,
        params: [userName, sessionId],
      });
      return rows.find(({ status }) => isRefused(status));
    },

    /** The keys of this server, encrypted; undefined at the first start. */
    async readPushKeys(): Promise<Uint8Array | undefined> {
      const rows = await db.read<{ sealed: Uint8Array }>({ sql: 'SELECT sealed FROM push_keys' });
      return rows[0]?.sealed;
    },

    /** Does nothing if another process has replaced them. */
    async replacePushKeys({ old, sealed }: { old: Uint8Array | undefined; sealed: Uint8Array }): Promise<void> {
      await db.write([
        { sql: 'DELETE FROM push_keys WHERE sealed = $1', params: [old ?? null] },
        {
          sql: 'INSERT INTO push_keys (user_id, sealed) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING',
          params: [serverActor, sealed],
        },
      ]);
    },

    /** The id of the open invitation of a notice about one. */
    async openInvitation({ resource_id, swarm_id, detail }: DeliveryRow): Promise<string | undefined> {
      const sql = `SELECT id FROM invitations
        WHERE resource_id = $1 AND swarm_id = $2 AND resource_type = $3 AND status = 'new'`;
      return (await db.read<{ id: string }>({ sql, params: [resource_id, swarm_id, detail] }))[0]?.id;
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
                WHERE seq = $1 AND (next_at <= $4 OR next_at > $5) RETURNING ${columns}`,
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
     * Other deliveries to an address that fails wait too, so that it takes one place in a minute, and so do all of a user who
     * rests: what is not due is not read. A test is not repeated.
     */
    async finish(finished: DeliveryRow & { restMs: number }) {
      const { seq, user_id, session_id, kind, attempts, status, answer, restMs } = finished;
      const isDone = isDelivered(status);
      const delay = isDone || kind === 'test' ? undefined : delays[attempts - 1];
      const next = delay === undefined ? null : now().getTime() + delay;
      const sql = `UPDATE webhook_deliveries SET status = $3, answer = $4, next_at = $5 WHERE seq = $1 AND attempts = $2`;
      const wait = `UPDATE webhook_deliveries SET next_at = $3
        WHERE user_id = $1 AND session_id IS NOT DISTINCT FROM $2 AND next_at < $3 AND kind <> 'test'`;
      const rest = `UPDATE webhook_deliveries SET next_at = $2 WHERE user_id = $1 AND next_at < $2 AND kind <> 'test'`;
      await db.write([
        { sql, params: [seq, attempts, status, answer, next] },
        ...(isDone ? [] : [{ sql: wait, params: [user_id, session_id, now().getTime() + delays[0]!] }]),
        ...(restMs > 0 ? [{ sql: rest, params: [user_id, now().getTime() + restMs] }] : []),
        // A refusal is kept for the user, until another message ends.
        ...(session_id === null || next !== null
          ? []
          : [endedPushes({ session: session_id, but: isRefused(status) ? seq : 0 })]),
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

type SentSubscription = { user: string; session: string } & PushSubscribe;

/** Returns false if the session has ended. The oldest browsers beyond the limit are sent nothing more. */
async function putPush({ db, now }: Parts, { user, session, ...sent }: SentSubscription): Promise<boolean> {
  const { ok } = await db.write([
    lockUser(user),
    { sql: 'SELECT 1 FROM session WHERE id = $1 FOR SHARE', params: [session], orFail: 'ended' },
    // An earlier session in the same browser, perhaps of another user.
    {
      sql: 'DELETE FROM push_subscriptions WHERE endpoint = $1 OR session_id = $2',
      params: [sent.endpoint, session],
    },
    {
      sql: 'INSERT INTO push_subscriptions VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
      params: [
        session,
        user,
        sent.endpoint,
        sent.keys.p256dh,
        sent.keys.auth,
        sent.language,
        Number(sent.shows_names),
        now().toISOString(),
      ],
    },
    {
      sql: `DELETE FROM push_subscriptions WHERE user_id = $1 AND session_id IN (SELECT session_id
            FROM push_subscriptions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1000 OFFSET ${pushLimits.browsers})`,
      params: [user],
    },
  ]);
  return ok;
}

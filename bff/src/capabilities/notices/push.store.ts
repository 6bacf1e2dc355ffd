/** The browsers that get notices, and the keys by which push services know this server. */
import type { PushSubscribe } from '../../contract.ts';
import { serverActor } from '../../core/limits/field-rules.ts';
import { pushLimits } from '../../core/limits/part-limits.ts';
import type { Database } from '../../core/store/database.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import { dropped, isRefused } from './deliveries.store.ts';

interface PushRow {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
  shows_names: number;
}

export type PushStore = ReturnType<typeof createPushStore>;

interface Deps {
  db: Database;
  now: () => Date;
}

export function createPushStore({ db, now }: Deps) {
  return {
    /** The browser of a session that has not ended. */
    async find(session: string): Promise<PushRow | undefined> {
      const sql = `SELECT p.endpoint, p.p256dh, p.auth, p.language, p.shows_names
        FROM push_subscriptions p JOIN session s ON s.id = p.session_id JOIN "user" u ON u.id = s."userId"
        WHERE p.session_id = $1 AND s."expiresAt" > $2 AND u.disabled_at IS NULL`;
      return (await db.read<PushRow>({ sql, params: [session, now().toISOString()] }))[0];
    },

    put: (subscription: SentSubscription) => put({ db, now }, subscription),

    /** `endpoint`: unless the browser has another one since. */
    async remove({ user, session, endpoint }: { user: string; session: string; endpoint?: string }): Promise<void> {
      const sql = `DELETE FROM push_subscriptions WHERE session_id = $1 AND endpoint = coalesce($2, endpoint)`;
      await db.write([{ sql, params: [session, endpoint ?? null] }, dropped({ user, session })]);
    },

    /** How the push service of a browser has refused the last message that it did not take. */
    async refusal({ userName, sessionId }: { userName: string; sessionId: string }) {
      const rows = await db.read<{ status: number; answer: string }>({
        sql: `SELECT status, answer FROM webhook_deliveries WHERE user_id = $1 AND session_id = $2 AND status IS NOT NULL
              ORDER BY seq DESC LIMIT 1`,
        params: [userName, sessionId],
      });
      return rows.find(({ status }) => isRefused(status));
    },

    /** The keys of this server, encrypted; undefined at the first start. */
    async readKeys(): Promise<Uint8Array | undefined> {
      const rows = await db.read<{ sealed: Uint8Array }>({ sql: 'SELECT sealed FROM push_keys' });
      return rows[0]?.sealed;
    },

    /** Does nothing if another process has replaced them. */
    async replaceKeys({ old, sealed }: { old: Uint8Array | undefined; sealed: Uint8Array }): Promise<void> {
      await db.write([
        { sql: 'DELETE FROM push_keys WHERE sealed = $1', params: [old ?? null] },
        {
          sql: 'INSERT INTO push_keys (user_id, sealed) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING',
          params: [serverActor, sealed],
        },
      ]);
    },
  };
}

type SentSubscription = { user: string; session: string } & PushSubscribe;

/** Returns false if the session has ended. The oldest browsers beyond the limit are sent nothing more. */
async function put({ db, now }: Deps, { user, session, ...subscription }: SentSubscription): Promise<boolean> {
  const { ok } = await db.write([
    lockUser(user),
    { sql: 'SELECT 1 FROM session WHERE id = $1 FOR SHARE', params: [session], orFail: 'ended' },
    // An earlier session in the same browser, perhaps of another user.
    {
      sql: 'DELETE FROM push_subscriptions WHERE endpoint = $1 OR session_id = $2',
      params: [subscription.endpoint, session],
    },
    {
      sql: 'INSERT INTO push_subscriptions VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
      params: [
        session,
        user,
        subscription.endpoint,
        subscription.keys.p256dh,
        subscription.keys.auth,
        subscription.language,
        Number(subscription.shows_names),
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

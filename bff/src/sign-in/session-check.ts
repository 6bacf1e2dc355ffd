import type { Database } from '../storage/database.ts';
import { createTokenReader, readSessionCookie, sessionCookie } from './session-cookie.ts';
import { renewSession } from './sessions.store.ts';

const day = 86_400_000;
/** Milliseconds. A session ends when it was not used for 30 days, and after 180 in any case (service.md). */
export const sessionSlides = 30 * day;
export const sessionEnds = 180 * day;
const renewedEvery = day;

export interface Session {
  userName: string;
  sessionId: string;
  /** When it ends if it is not used. */
  expiresAt: Date;
  /** `Set-Cookie` for the answer, when this use renewed the session. */
  setCookie?: string;
}

export type SessionCheck = (request: Request) => Promise<Session | undefined>;

interface Found {
  id: string;
  username: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
}

const byToken = `SELECT s.id, u.username, s.createdAt, s.updatedAt, s.expiresAt
  FROM session s JOIN user u ON u.id = s.userId WHERE s.token = ?`;

/**
 * Who a request comes from: one signature and one point read, on every request, instead of Better Auth's
 * `getSession` (250 µs). A session that was ended is gone from the table, so it ends at once.
 */
export function createSessionCheck(options: {
  db: Database;
  secret: string;
  now: () => Date;
  report: (error: unknown) => void;
}): SessionCheck {
  const { db, secret, now, report } = options;
  const tokenOf = createTokenReader({ secret });
  return async (request) => {
    const value = readSessionCookie(request.headers.get('cookie'));
    const token = value && tokenOf(value);
    if (!value || !token) return undefined;
    const found = db.get<Found>(byToken, token);
    if (!found) return undefined;
    const at = now().getTime();
    const expiresAt = Date.parse(found.expiresAt);
    const endsAt = Date.parse(found.createdAt) + sessionEnds;
    if (at >= expiresAt || at >= endsAt) return undefined;
    const session: Session = { userName: found.username, sessionId: found.id, expiresAt: new Date(expiresAt) };
    if (at - Date.parse(found.updatedAt) < renewedEvery) return session;

    const renewed = new Date(Math.min(at + sessionSlides, endsAt));
    try {
      await renewSession({ db, sessionId: found.id, usedAt: new Date(at), expiresAt: renewed });
    } catch (error) {
      // reading goes on while the store cannot be written
      report(error);
      return session;
    }
    const maxAge = Math.floor((renewed.getTime() - at) / 1000);
    return { ...session, expiresAt: renewed, setCookie: sessionCookie({ value, maxAge }) };
  };
}

/** Which of these sessions are over: ended, not used for too long, or as old as one may get. */
export function goneSessions(options: { db: Database; ids: readonly string[]; now: Date }): string[] {
  const { db, ids, now } = options;
  const oldest = new Date(now.getTime() - sessionEnds).toISOString();
  const sql = `SELECT asked.value AS id FROM json_each(?) asked WHERE NOT EXISTS
    (SELECT 1 FROM session s WHERE s.id = asked.value AND s."expiresAt" > ? AND s."createdAt" > ?)`;
  return db.all<{ id: string }>(sql, JSON.stringify(ids), now.toISOString(), oldest).map(({ id }) => id);
}

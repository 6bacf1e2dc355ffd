import type { Database } from '../storage/database.ts';
import { createTokenReader, readSessionCookie, sessionCookie } from './session-cookie.ts';
import { findSession, missingSessions, renewSession } from './sessions.store.ts';

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
    const found = findSession({ db, token });
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
  return missingSessions({ db, ids, now: now.toISOString(), oldest });
}

/** The sessions of users. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Session as SessionRecord } from '../../contract.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import { createReadThroughCache } from '../feed/read-through-cache.ts';
import { dayMs, hourMs } from '../limits/durations.ts';
import { memoryTable, signInLimits } from '../limits/part-limits.ts';
import { Problem, type Report } from '../problem.ts';
import type { Database } from '../store/database.ts';
import type { Secrets } from '../store/secret.ts';
import { ofUser } from '../store/of-user.ts';
import { always, firstRow, sql, type Sql, type Statement } from '../store/statement.ts';
import { lockUser } from '../store/user-locks.ts';
import { readCookie } from './cookies.ts';
import { sessionCookieName, signedCookie, tokenOf } from './session-cookie.ts';

/** In ms. A session ends after so long without use, and after so long in any case. */
export interface SessionTimes {
  idleMs?: number | undefined;
  maxMs?: number | undefined;
}

const purgedAtOnce = 500;

/** By what a user has signed in; the name of a provider for single sign-on. What came second is after a `+`: `password+app`. */
export type SignInWay = 'password' | 'passkey' | (string & {});

/** What a server asks for: `required` limits a session without a second factor. */
export type SecondFactorRule = 'optional' | 'required';

/** A passkey is two factors in one, because it verifies the user. */
const hasTwoFactors = (way: SignInWay): boolean => way === 'passkey' || way.includes('+');

/** The way of a session whose user has also shown this second factor. */
export const withSecond = (way: SignInWay, second: string): SignInWay =>
  hasTwoFactors(way) ? way : `${way}+${second}`;

export interface Session {
  userName: string;
  sessionId: string;
  way: SignInWay;
  /** A second factor is required, and this session has none: it can only set one up, or show the one that its user has. */
  isLimited: boolean;
  /** When the user has last shown that it is them, in ms since 1970. */
  confirmedAt: number;
  /** The end of the session if it is not used. */
  expiresAt: Date;
  /** A `Set-Cookie` header for the response if this use renewed the session. */
  setCookie?: string;
}

export type Sessions = ReturnType<typeof createSessions>;

/** The sessions of users. */
export function createSessions({
  db,
  feed,
  secrets,
  times: { idleMs = 30 * dayMs, maxMs = 180 * dayMs } = {},
  secondFactor = 'optional',
  now,
  report,
}: {
  db: Database;
  feed: ChangeFeed;
  secrets: Secrets;
  times?: SessionTimes | undefined;
  secondFactor?: SecondFactorRule;
  now: () => Date;
  report: Report;
}) {
  // Rarely enough that few requests write. Often enough that a session in use does not end, and that operators see who is active.
  const renewedEvery = Math.min(hourMs, idleMs / 10);
  /** The sessions by the value of the cookie, so that its signature is verified only when the session is read. */
  const cached = createReadThroughCache<Known>({
    feed,
    most: memoryTable.keys.most,
    kind: 'session.changed',
    idOf: ({ session }) => session.sessionId,
  });

  const deps: SessionDeps = { db, secrets, now, idleMs, maxMs };

  /** The point read of every request with a cookie. */
  async function find(token: string): Promise<Known | undefined> {
    const sql = `SELECT s.id, u.username, s."createdAt", s."updatedAt", s."expiresAt", s.confirmed_at, s.way
      FROM session s JOIN "user" u ON u.id = s."userId" WHERE s.token = $1 AND u.disabled_at IS NULL`;
    const [found] = await db.read<FoundSession>({ sql, params: [token] });
    return found && knownOf(found, { idleMs, maxMs, renewedEvery, secondFactor });
  }

  async function renew({ session, endsAt }: Known, value: string): Promise<Session | undefined> {
    const at = now().getTime();
    const expiresAt = new Date(Math.min(at + idleMs, endsAt));
    const token = tokenOf(value, secrets)!;
    try {
      const sql = 'UPDATE session SET "updatedAt" = $1, "expiresAt" = $2 WHERE id = $3 AND token = $4';
      const params = [new Date(at).toISOString(), expiresAt.toISOString(), session.sessionId, token];
      // The session was ended meanwhile, or has another token.
      if (!(await db.write([{ sql, params, orFail: 'ended' }])).ok) return undefined;
    } catch (error) {
      // Requests still succeed if the renewal cannot be written.
      report(error);
      return session;
    }
    const maxAge = Math.floor((expiresAt.getTime() - at) / 1000);
    // A value that was signed with another secret becomes one of the first.
    return { ...session, expiresAt, setCookie: signedCookie({ token, secrets, maxAge }) };
  }

  function accept(known: Known | undefined, value: string) {
    if (!known) return undefined;
    const { session, renewAt } = known;
    const at = now().getTime();
    if (at >= session.expiresAt.getTime()) return undefined;
    return at < renewAt ? session : renew(known, value);
  }

  return {
    begin: (begun: SessionBegun) => beginSession(deps, begun),

    /**
     * Notes that the user has shown that it is them, or a `second` factor, after the statements `after` in the same write. The session
     * gets a new token. Returns a `Set-Cookie` header, or undefined if the session has ended or an expectation failed.
     */
    confirm: (session: Session, after: readonly Statement<string>[], second?: string) =>
      confirmSession({ db, secrets, at: now(), session, after, second }),

    /**
     * The session of a request, by one signature and one read. Both are cached until the feed has an entry about the
     * session. A promise only if the session is not cached, or if this use renews it, which happens once an hour by default.
     */
    check(request: Request): Session | undefined | Promise<Session | undefined> {
      const value = readCookie(request.headers.get('cookie'), sessionCookieName);
      if (!value) return undefined;
      const known = cached.get(value);
      if (known) return accept(known, value);
      const token = tokenOf(value, secrets);
      if (!token) return undefined;
      // A copy: the value is a slice, which would keep the whole Cookie header in memory.
      const key = Buffer.from(value).toString();
      return cached.read(key, () => find(token)).then((found) => accept(found, value));
    },

    ofSignUp: (tried: SignUpTried) => sessionOfSignUp(deps, tried),
    isSignUpRepeated: (by: OfBrowser) => isSignUpRepeated(deps, by),
    ended: (ids: readonly string[]) => listEnded(deps, ids),
    list: (session: { userName: string; currentId: string }) => listSessions(deps, session),
    end: (session: { userName: string; sessionId: string }) => endSession(db, session),

    /** Ends the session that the browser had before a sign-up. An error is only reported: the user exists already. */
    async endReplaced(request: Request): Promise<void> {
      try {
        const replaced = await this.check(request);
        if (replaced) await this.end(replaced);
      } catch (error) {
        report(error);
      }
    },

    async endOthers({ userName, currentId }: { userName: string; currentId: string }): Promise<void> {
      await db.write([sql`DELETE FROM session WHERE id <> ${currentId} AND ${ofUser(userName)}`]);
    },

    /** Ends the sessions of all users. */
    endAll: () => endWhere(db, always),
    /** Deletes the expired sessions of all users. */
    purge: () => endWhere(db, isExpired(deps)),
    tidy: (userName: string) => tidyOf(deps, userName),
  };
}

interface SessionDeps {
  db: Database;
  secrets: Secrets;
  now: () => Date;
  idleMs: number;
  maxMs: number;
}

/** SQL: the session has expired. The settings may have become shorter since it was written. */
function isExpired({ now, idleMs, maxMs }: SessionDeps): Sql {
  const at = now().getTime();
  const since = (milliseconds: number) => new Date(at - milliseconds).toISOString();
  return sql`("expiresAt" <= ${since(0)} OR "updatedAt" <= ${since(idleMs)} OR "createdAt" <= ${since(maxMs)})`;
}

interface OfBrowser {
  userName: string;
  userAgent: string;
}

interface SessionBegun {
  userName: string;
  userAgent: string;
  way: SignInWay;
  /** Whether the user has shown just now that it is them. A provider may have known the browser. */
  isConfirmed?: boolean;
  /** Of a sign-up. */
  attempt?: string | undefined;
  /** They create the user, or lock it and check its password. */
  after: readonly Statement<string>[];
}

/**
 * Creates a session, after the statements `after` in the same write: otherwise, on PostgreSQL, a session could stay that is created while
 * the password changes. Returns a `Set-Cookie` header, or undefined if an expectation of them failed.
 */
async function beginSession(deps: SessionDeps, begun: SessionBegun): Promise<string | undefined> {
  const { db, secrets, now, idleMs, maxMs } = deps;
  const { userName, userAgent, way, isConfirmed = true, attempt = null, after } = begun;
  const token = newToken();
  const at = now().toISOString();
  const lasts = Math.min(idleMs, maxMs);
  const expiresAt = new Date(now().getTime() + lasts).toISOString();
  const written = await db.write([
    ...after,
    sql`INSERT INTO session (id, token, "createdAt", "updatedAt", "expiresAt", "userAgent", "userId", confirmed_at, way, attempt)
        SELECT ${randomUUID()}, ${token}, ${at}, ${at}, ${expiresAt}, ${userAgent}, id, ${isConfirmed ? at : null}, ${way},
          ${attempt}
        FROM "user" WHERE username = ${userName}`,
  ]);
  return written.ok ? signedCookie({ token, secrets, maxAge: lasts / 1000 }) : undefined;
}

interface SignUpTried {
  userName: string;
  attempt: string;
}

/** The session of an earlier try to sign up, whose response was lost. `end`: fails if another try has ended it. */
async function sessionOfSignUp({ db }: SessionDeps, { userName, attempt }: SignUpTried) {
  const session = sql`session WHERE attempt = ${attempt} AND ${ofUser(userName)}`;
  if ((await db.read(sql`SELECT 1 FROM ${session}`)).length === 0) return undefined;
  return { end: { ...sql`DELETE FROM ${session}`, orFail: 'ended' as const } };
}

/**
 * Whether the user has signed up within the last minutes and has, beside the session that has just begun, one of such a browser. The
 * response to the sign-up may have been lost with its cookies.
 */
async function isSignUpRepeated({ db, now }: SessionDeps, { userName, userAgent }: OfBrowser): Promise<boolean> {
  if (userAgent === '') return false;
  const since = new Date(now().getTime() - signInLimits.signUpRepeatedMs).toISOString();
  const rows = await db.read(
    sql`SELECT 1 FROM session s JOIN "user" u ON u.id = s."userId"
        WHERE u.username = ${userName} AND u."createdAt" > ${since} AND s."userAgent" = ${userAgent} LIMIT 2`,
  );
  return rows.length === 2;
}

/** The ids of sessions that were ended, or have expired. */
async function listEnded(deps: SessionDeps, ids: readonly string[]): Promise<string[]> {
  const rows = await deps.db.read<{ id: string }>(
    sql`SELECT given.value AS id FROM elements(${JSON.stringify(ids)}) given
        WHERE NOT EXISTS (SELECT 1 FROM session s WHERE s.id = given.value AND NOT ${isExpired(deps)})`,
  );
  return rows.map(({ id }) => id);
}

/** Last used first. Without the tokens. */
async function listSessions(
  deps: SessionDeps,
  { userName, currentId }: { userName: string; currentId: string },
): Promise<SessionRecord[]> {
  const at = deps.now().toISOString();
  const rows = await deps.db.read<{ id: string; userAgent: string | null; createdAt: string; updatedAt: string }>(
    sql`SELECT id, "userAgent", "createdAt", "updatedAt" FROM session
        WHERE ${ofUser(userName)} AND NOT ${isExpired(deps)}
        ORDER BY "updatedAt" DESC, id LIMIT ${signInLimits.sessions}`,
  );
  return rows.map(({ id, userAgent, createdAt, updatedAt }) => {
    const current = id === currentId;
    // updatedAt is only written at a renewal; the current session is in use now.
    const active_at = current ? at : updatedAt;
    return { id, user_agent: userAgent ?? '', created_at: createdAt, active_at, current };
  });
}

/** Returns false if the user has no such session. */
async function endSession(
  db: Database,
  { userName, sessionId }: { userName: string; sessionId: string },
): Promise<boolean> {
  const session = sql`FROM session WHERE id = ${sessionId} AND ${ofUser(userName)}`;
  // A write that fails costs others their commit.
  if ((await db.read(sql`SELECT 1 ${session}`)).length === 0) return false;
  return (await db.write([{ ...sql`DELETE ${session}`, user: userName, orFail: 'no session' }])).ok;
}

/** Ends sessions of all users, in chunks: other writes run in between. */
async function endWhere(db: Database, condition: Sql): Promise<void> {
  const found = await db.read<{ id: string }>({ ...sql`SELECT id FROM session WHERE ${condition}`, isLong: true });
  for (let from = 0; from < found.length; from += purgedAtOnce) {
    const ids = JSON.stringify(found.slice(from, from + purgedAtOnce).map(({ id }) => id));
    // Its last use may have renewed a session since.
    await db.write([sql`DELETE FROM session WHERE ${condition} AND id IN (SELECT value FROM elements(${ids}))`]);
  }
}

/** Called at each sign-in: deletes the user's expired sessions, and the oldest ones beyond the limit. */
async function tidyOf(deps: SessionDeps, userName: string): Promise<void> {
  await deps.db.write([
    sql`DELETE FROM session WHERE ${ofUser(userName)} AND ${isExpired(deps)}`,
    sql`DELETE FROM session WHERE id IN
        (SELECT id FROM session WHERE ${ofUser(userName)}
         ORDER BY "updatedAt" DESC LIMIT 1000000 OFFSET ${signInLimits.sessions})`,
  ]);
}

interface SessionRules {
  idleMs: number;
  maxMs: number;
  renewedEvery: number;
  secondFactor: SecondFactorRule;
}

function knownOf(found: FoundSession, { idleMs, maxMs, renewedEvery, secondFactor }: SessionRules): Known {
  const updatedAt = Date.parse(found.updatedAt);
  const endsAt = Date.parse(found.createdAt) + maxMs;
  return {
    session: {
      userName: found.username,
      sessionId: found.id,
      way: found.way,
      isLimited: secondFactor === 'required' && !hasTwoFactors(found.way),
      confirmedAt: found.confirmed_at === null ? 0 : Date.parse(found.confirmed_at),
      // The settings may have become shorter since it was written.
      expiresAt: new Date(Math.min(Date.parse(found.expiresAt), updatedAt + idleMs, endsAt)),
    },
    renewAt: updatedAt + renewedEvery,
    endsAt,
  };
}

interface Known {
  session: Session;
  /** In ms since 1970, like `endsAt`, the end of the session in any case. */
  renewAt: number;
  endsAt: number;
}

/** @throws Problem `second_factor.required` */
export function requireUnlimited({ isLimited }: Pick<Session, 'isLimited'>) {
  if (isLimited) throw new Problem('second_factor.required');
}

/** Fails a write if the session has ended since it was looked up. The user must be locked by the same write. */
export type SessionLives = Statement<'session ended'>;

export const sessionLives = (sessionId: string): SessionLives => ({
  ...sql`SELECT 1 FROM session WHERE id = ${sessionId}`,
  orFail: 'session ended',
});

/** The user of the session has shown, or set up, a second factor. */
export const strengthened = ({ sessionId, way }: Pick<Session, 'sessionId' | 'way'>, second: string): Statement =>
  sql`UPDATE session SET way = ${withSecond(way, second)} WHERE id = ${sessionId}`;

/** Fails a write if the session has ended, or was not `strengthened` since it was looked up. The user must be locked by the same write. */
export const sessionStrengthened = (
  { sessionId, way }: Pick<Session, 'sessionId' | 'way'>,
  second: string,
): SessionLives => ({
  ...sql`SELECT 1 FROM session WHERE id = ${sessionId} AND way = ${withSecond(way, second)}`,
  orFail: 'session ended',
});

async function confirmSession(options: {
  db: Database;
  secrets: Secrets;
  at: Date;
  session: Session;
  after: readonly Statement<string>[];
  second: string | undefined;
}): Promise<string | undefined> {
  const { db, secrets, at, session, after, second } = options;
  const { userName, sessionId, expiresAt, confirmedAt } = session;
  const before = confirmedAt === 0 ? null : new Date(confirmedAt).toISOString();
  const written = await db.write([
    lockUser(userName),
    ...after,
    ...(second === undefined ? [] : [strengthened(session, second)]),
    {
      // Confirmations at the same time get one token, whichever answer the browser gets last.
      ...sql`UPDATE session SET confirmed_at = ${at.toISOString()},
          token = CASE WHEN confirmed_at IS NOT DISTINCT FROM ${before} THEN ${newToken()} ELSE token END
        WHERE id = ${sessionId} RETURNING token`,
      orFail: 'session ended',
      isResult: true,
    },
  ]);
  if (!written.ok) return undefined;
  const maxAge = Math.floor((expiresAt.getTime() - at.getTime()) / 1000);
  return signedCookie({ token: firstRow<{ token: string }>(written.rows).token, secrets, maxAge });
}

const newToken = () => randomBytes(24).toString('base64url');

interface FoundSession {
  id: string;
  username: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  confirmed_at: string | null;
  way: SignInWay;
}

/**
 * Sign-up, sign-in, sessions and passwords. It knows users by their name and nothing of what they own.
 *
 * `createSignIn` returns, for the other modules:
 * - `handle`: `/auth/*`
 * - `session`: the session of a request, in a few microseconds
 * - `requireSameOrigin`: the check of every write with a cookie
 * - `sessions`, `confirmPassword`: for the account page
 * - `addUser`, `changePassword`: for the operator's commands
 */
import type { Feed } from '../feed/feed.ts';
import { Problem } from '../http/problem.ts';
import type { Report } from '../http/problem.ts';
import { createRate, requireTurn } from '../limits/rate.ts';
import type { Database } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import { authRoutes } from './auth.routes.ts';
import { createBetterAuth } from './better-auth.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { passwordHash, requireUsablePassword, setPassword, verifyPassword } from './passwords.store.ts';
import { requireSameOrigin } from './same-origin.ts';
import { clearedSessionCookie } from './session-cookie.ts';
import {
  createSessionCheck,
  endOtherSessions,
  endSession,
  endedSessions,
  listSessions,
  tidySessions,
} from './sessions.store.ts';
import { foldUserName, requireUserName } from './user-name.ts';
import { createUser, nameIsFree } from './users.store.ts';

export type SignIn = ReturnType<typeof createSignIn>;

/** Attempts from one address, or at one account's password under a session: 10 at once, 10 a minute. */
const attemptsPerMinute = 10;

export function createSignIn(options: {
  db: Database;
  feed: Feed;
  secret: string;
  /** The origin of this server, for Better Auth's URLs. */
  publicUrl: string;
  signUp: 'open' | 'closed';
  /** The factor of all rate limits; Infinity for none. */
  rateLimit: number;
  now: () => Date;
  /** The address for rate limits; `env` is Hono's, with the socket. */
  clientAddress: (request: Request, env: unknown) => string;
  /** Receives internal errors. */
  report: Report;
  /** Called after each sign-in, but not after a sign-up. */
  onSignedIn: (session: { userName: string; userAgent: string }) => Promise<void>;
  /** Called after a change of password: the gateway replaces its key. The password stays changed if this fails. */
  onPasswordChanged: (userName: string, by: 'user' | 'operator') => Promise<void>;
}) {
  const { db, feed, secret, publicUrl, signUp, rateLimit, now, clientAddress, report, onPasswordChanged } = options;
  const attempts = createRate({
    perSecond: (attemptsPerMinute * rateLimit) / 60,
    burst: attemptsPerMinute * rateLimit,
    now,
  });
  const auth = createBetterAuth({ db, secret, origin: publicUrl, report });
  const session = createSessionCheck({ db, feed, secret, now, report });

  /**
   * Acts if a password is right. `act` adds `precondition` to its write, and returns false if that failed, because
   * another request has changed the password meanwhile.
   * @throws Problem `password.wrong` at `pointer`, or `rate.exceeded`
   */
  async function confirmPassword(options: {
    userName: string;
    password: string;
    pointer: string;
    act: (precondition: Statement) => Promise<boolean>;
  }) {
    const { userName, password, pointer, act } = options;
    requireTurn(attempts, `password|${userName}`);
    const precondition = await verifyPassword({ auth, db, userName, password });
    if (precondition && (await act(precondition))) return;
    const detail = 'is not the password of this account';
    throw new Problem('password.wrong', { errors: [{ pointer, code: 'password.wrong', detail }] });
  }

  const routes = authRoutes({
    auth,
    origin: publicUrl,
    signUp,
    session,
    clientAddress,
    report,
    requireAttempt: (attempt) => requireTurn(attempts, attempt),
    loginThrottle: createLoginThrottle({ rateLimit, now }),
    passwordHash: (userName) => passwordHash({ db, userName }),
    nameIsFree: (userName) => nameIsFree({ db, userName }),
    endSession: (ended) => endSession({ db, ...ended }),
    async onSignedIn(signedIn) {
      await tidySessions({ db, userName: signedIn.userName, now: now() });
      await options.onSignedIn(signedIn);
    },
    async changePassword({ userName, sessionId, currentPassword, newPassword, revokeOtherSessions }) {
      const keep = revokeOtherSessions ? { sessionId } : 'all';
      await confirmPassword({
        userName,
        password: currentPassword,
        pointer: '/currentPassword',
        act: (precondition) =>
          setPassword({ auth, db, now: now(), userName, password: newPassword, keep, precondition }),
      });
      await onPasswordChanged(userName, 'user').catch(report);
    },
  });

  return {
    handle: async (request: Request, env?: object): Promise<Response> => routes.fetch(request, env),
    session,
    requireSameOrigin,
    confirmPassword,
    clearedSessionCookie,
    sessions: {
      list: (session: { userName: string; currentId: string }) => listSessions({ db, now: now(), ...session }),
      /** Returns false if the user has no such session. */
      end: (ended: { userName: string; sessionId: string }) => endSession({ db, ...ended }),
      /** Returns the ids of ended sessions. */
      ended: (ids: readonly string[]) => endedSessions({ db, ids, now: now() }),
      endOthers: (session: { userName: string; currentId: string }) => endOtherSessions({ db, ...session }),
    },

    /** @throws Problem `sign_up.name_invalid`, `sign_up.name_taken`, `password.too_weak` */
    async addUser({ userName, password }: { userName: string; password: string }): Promise<void> {
      const name = foldUserName(userName);
      requireUserName(name);
      requireUsablePassword({ password, pointer: '/password' });
      if (!(await nameIsFree({ db, userName: name }))) throw new Problem('sign_up.name_taken');
      await createUser({ auth, userName: name, password });
    },

    /** For the operator: sets a new password and ends all sessions. Returns false if there is no such user. */
    async changePassword({ userName, password }: { userName: string; password: string }): Promise<boolean> {
      requireUsablePassword({ password, pointer: '/password' });
      const name = foldUserName(userName);
      const changed = await setPassword({ auth, db, now: now(), userName: name, password, keep: 'none' });
      if (changed) await onPasswordChanged(name, 'operator').catch(report);
      return changed;
    },
  };
}

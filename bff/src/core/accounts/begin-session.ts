/** How each sign-in ends, whatever its way is. */
import type { Report } from '../problem.ts';
import type { Statement } from '../store/statement.ts';
import { lockUser } from '../store/user-locks.ts';
import type { Browsers } from './browsers.ts';
import type { From } from './from.ts';
import type { Sessions, SignInWay } from './sessions.store.ts';

export interface SignedIn extends Omit<From, 'request'> {
  userName: string;
  way: SignInWay;
  /**
   * The browser shows neither that the user has signed in there before, nor a session of the user, and is not such a one as that of a
   * sign-up of the last minutes.
   */
  isNewBrowser: boolean;
}

/** `by: 'operator'`: by a command. `userAgent`: undefined for it. */
export interface PasswordChanged {
  userName: string;
  by: 'user' | 'operator';
  userAgent: string | undefined;
}

/** A user who has set a new password instead of a lost one. `link`: one of the operator. */
export interface Recovered extends Omit<From, 'request'> {
  userName: string;
  way: 'code' | 'mail' | 'link';
}

export interface BegunSession {
  userName: string;
  way: SignInWay;
  /** See `Sessions.begin`. */
  isConfirmed?: boolean;
  /** Statements of the same write, behind the lock of the user. */
  after: readonly Statement<string>[];
}

export type BeginSession = ReturnType<typeof createBeginSession>;

/**
 * Begins a session instead of the one that the browser has. Returns the `Set-Cookie` headers of the session and of the browser;
 * undefined if one of the statements failed.
 */
export function createBeginSession({
  sessions,
  browsers,
  onSignedIn,
  report,
}: {
  sessions: Pick<Sessions, 'begin' | 'check' | 'end' | 'tidy' | 'isSignUpRepeated'>;
  browsers: Pick<Browsers, 'knownTo' | 'cookieOf'>;
  onSignedIn: (signedIn: SignedIn) => Promise<void>;
  report: Report;
}) {
  return async (begun: BegunSession, { request, ...from }: From): Promise<string[] | undefined> => {
    const { userName, way, after } = begun;
    const { userAgent } = from;
    const setCookie = await sessions.begin({ ...begun, userAgent, after: [lockUser(userName), ...after] });
    if (!setCookie) return undefined;
    try {
      const before = await sessions.check(request);
      // The cookie is missing in browsers that have signed in before an update, but not their session.
      const isKnown = before?.userName === userName || browsers.knownTo(request, userName) !== undefined;
      const isNewBrowser = !isKnown && !(await sessions.isSignUpRepeated({ userName, userAgent }));
      if (before) await sessions.end(before);
      await sessions.tidy(userName);
      await onSignedIn({ ...from, userName, way, isNewBrowser });
    } catch (error) {
      // The user has signed in, and the code or link for it is used up.
      report(error);
    }
    return [setCookie, browsers.cookieOf(request, userName)];
  };
}

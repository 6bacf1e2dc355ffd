import type { Context } from 'hono';
import type { NewRecoveryCodes } from '../../contract.ts';
import type { OidcProvider } from '../config/oidc-settings.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import type { Rates } from '../limits/limit-tables.ts';
import { requireTokens } from '../limits/rate.ts';
import type { Report } from '../problem.ts';
import type { Database } from '../store/database.ts';
import type { Secrets } from '../store/secret.ts';
import {
  createBeginSession,
  type BegunSession,
  type PasswordChanged,
  type Recovered,
  type SignedIn,
} from './begin-session.ts';
import { createBrowsers } from './browsers.ts';
import { byPassword } from './confirm/by-password.ts';
import { createConfirmation } from './confirm/confirm.ts';
import { addressOf, fromOf } from './from.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createPasswordHash } from './password-hash.ts';
import { createSecondFactors } from './second-factors.store.ts';
import { createSecondStep } from './second-step.ts';
import { createSessions, type SecondFactorRule, type Session, type SessionTimes } from './sessions.store.ts';
import { createSteps } from './steps.store.ts';
import { createUsers } from './users.store.ts';
import { createHasWayIn, hasPassword } from './ways-in.store.ts';
import type { Codes, Mails, SignInChanged, Way } from './ways.ts';

/** What the capabilities make their ways of. */
export type Accounts = ReturnType<typeof createAccounts>;
export type MakeWay = (accounts: Accounts) => Way;

export interface AccountsOptions {
  db: Database;
  feed: ChangeFeed;
  secrets: Secrets;
  /** The origin of this server. */
  publicUrl: string;
  signUp: 'open' | 'closed';
  /** Default: those of sessions.store.ts. */
  sessionTimes?: SessionTimes;
  oidcProviders: readonly OidcProvider[];
  /** Whether passwords are switched off. */
  oidcOnly: boolean;
  rates: Rates;
  secondFactor: SecondFactorRule;
  mails: Mails;
  now: () => Date;
  /** Receives internal errors. */
  report: Report;
  warn: (message: string, fields: Record<string, unknown>) => void;
  /** The session of a request of the app. */
  sessionOf: (c: Context) => Session;
  /** Called after each sign-in, but not after a sign-up. */
  onSignedIn: (session: SignedIn) => Promise<void>;
  /** Adds an entry to the activity log of the user. An error is only reported: the change itself has been made. */
  record: (changed: Omit<SignInChanged, 'userAgent'>) => Promise<void>;
  /** The same, and tells the user outside of the app. */
  onChanged: (changed: SignInChanged) => Promise<void>;
  /** Called after a change of password: the gateway replaces its key. The password stays changed if this fails. */
  onPasswordChanged: (changed: PasswordChanged) => Promise<void>;
  /** Called after a recovery code, or a link of a mail or of the operator, has changed the password. */
  onRecovered: (recovered: Recovered) => Promise<void>;
}

/** For users who are shown none. */
export const noCodes: NewRecoveryCodes = { recovery_codes: [] };
const noneShown = { made: noCodes, statements: [] };
const withoutCodes: Codes = {
  replacement: () => noneShown,
  replacementOfNone: async () => noneShown,
  replacementOfUnstored: async () => noneShown,
  find: async () => undefined,
};

/** Makes what the ways to sign in share: the stores, and what begins and confirms a session. */
export function createAccounts(options: AccountsOptions) {
  const { db, feed, secrets, oidcOnly, rates, now, report } = options;
  const passwords = !oidcOnly;
  const passwordHash = createPasswordHash();
  const users = createUsers({ passwords: passwordHash, db, now });
  /** Those of the capabilities follow, which need what is made here. */
  const ways: Way[] = passwords ? [{ isWayIn: hasPassword, confirming: byPassword(users) }] : [];
  const { sessionTimes: times, secondFactor } = options;
  const sessions = createSessions({ db, feed, secrets, times, secondFactor, now, report });
  const steps = createSteps({ db, secrets, feedName: feed.name, now });
  const secondFactors = createSecondFactors({ db, rule: secondFactor, ways });
  const browsers = createBrowsers({ secrets });
  const loginThrottle = createLoginThrottle(rates);

  /** By address. @throws Problem `rate.exceeded` */
  const requireAttempt = (c: Context, what: string) => requireTokens(rates.sign_in, `${what}|${addressOf(c)}`);
  /** The same for what an office with one address does more often. */
  const requireVisit = (c: Context, what: string) => requireTokens(rates.single_sign_on, `${what}|${addressOf(c)}`);
  /** @throws Problem `rate.exceeded` if a session of this user has tried too often */
  const requireConfirmAttempt = (userName: string) => requireTokens(rates.sign_in, `confirm|${userName}`);

  const confirmation = createConfirmation({
    sessions,
    ways,
    secondFactors,
    requireAttempt: requireConfirmAttempt,
    now,
  });

  const beginSession = createBeginSession({ sessions, browsers, onSignedIn: options.onSignedIn, report });
  /** Begins the session of a user who has shown everything that is asked of them. */
  async function begin(c: Context, begun: BegunSession): Promise<string[] | undefined> {
    const cookies = await beginSession(begun, fromOf(c));
    if (cookies) loginThrottle.wasRight({ userName: begun.userName, address: addressOf(c) });
    return cookies;
  }

  return {
    ...options,
    ways,
    passwords,
    passwordHash,
    users,
    sessions,
    steps,
    hasWayIn: createHasWayIn({ ways }),
    secondFactors,
    secondStep: createSecondStep({ ways, steps }),
    /** Those of the capability that has some. */
    codes: (): Codes => ways.find(({ codes }) => codes)?.codes ?? withoutCodes,
    browsers,
    loginThrottle,
    confirmation,
    requireConfirmed: confirmation.requireConfirmed,
    requireAttempt,
    requireVisit,
    requireConfirmAttempt,
    beginSession,
    begin,
  };
}

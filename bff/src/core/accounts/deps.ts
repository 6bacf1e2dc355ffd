import type { Context } from 'hono';
import type { ChangeFeed } from '../feed/change-feed.ts';
import type { OidcProvider } from '../config/oidc-settings.ts';
import type { Report } from '../problem.ts';
import type { Rates } from '../limits/limit-tables.ts';
import { requireTokens } from '../limits/rate.ts';
import type { Database } from '../store/database.ts';
import type { Secrets } from '../store/secret.ts';
import { createAddressMails, type Mails } from '../../capabilities/addresses/address-mails.ts';
import { createAddresses } from '../../capabilities/addresses/addresses.store.ts';
import { createLinkCodes } from '../../capabilities/addresses/link-codes.ts';
import { createLinkUses } from '../../capabilities/addresses/link-uses.ts';
import {
  createBeginSession,
  type BegunSession,
  type PasswordChanged,
  type Recovered,
  type SignedIn,
} from './begin-session.ts';
import { createBrowsers } from './browsers.ts';
import { createConfirmation } from './confirm/confirm.ts';
import { byApp, byPasskey, byPassword, byRecoveryCode } from './confirm/ways.ts';
import { addressOf, fromOf } from './from.ts';
import { createLoginThrottle, type SignInRates } from './login-throttle.ts';
import { createPasskeys, hasPasskeys } from '../../capabilities/passkeys/passkeys.ts';
import { createPasswordChanges } from './password-changes.ts';
import { createPasswordHash } from './password-hash.ts';
import { createIdentities } from '../../capabilities/providers/identities.store.ts';
import { createProviders } from '../../capabilities/providers/providers.ts';
import { createSingleSignOn, type IdentityChanged } from '../../capabilities/providers/single-sign-on.ts';
import { createRecoveryCodes } from '../../capabilities/recovery/recovery-codes.store.ts';
import { createSecondFactors } from '../../capabilities/authenticator-app/second-factor.store.ts';
import { createTotp } from '../../capabilities/authenticator-app/totp.store.ts';
import { createSessions, type SecondFactorRule, type SessionTimes } from './sessions.store.ts';
import { createSteps } from './steps.store.ts';
import { createUsers } from './users.store.ts';
import { createHasWayIn } from './ways-in.store.ts';

export interface DepsOptions {
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
  rates: SignInRates & Pick<Rates, 'mail_links' | 'mail_notices' | 'unverified_mails' | 'unverified_mails_to'>;
  mails: Mails;
  secondFactor: SecondFactorRule;
  now: () => Date;
  /** Receives internal errors. */
  report: Report;
  /** Called after each sign-in, but not after a sign-up. */
  onSignedIn: (session: SignedIn) => Promise<void>;
  /** Called after a change of password: the gateway replaces its key. The password stays changed if this fails. */
  onPasswordChanged: (changed: PasswordChanged) => Promise<void>;
  /** Called after a recovery code, or a link of a mail or of the operator, has changed the password. */
  onRecovered: (recovered: Recovered) => Promise<void>;
  /** Called after a user has verified a mail address, or removed one that was verified. */
  onAddressChanged: (changed: { userName: string; isAdded: boolean }) => Promise<void>;
  /** Called after a user has linked or unlinked an account of the provider with this label. */
  onIdentityChanged: (changed: IdentityChanged) => Promise<void>;
  warn: (message: string, fields: Record<string, unknown>) => void;
}

/** Makes what signs users in: the stores, what they share, and what uses them. Each gets the parts that it names. */
export function createDeps(options: DepsOptions) {
  const { db, feed, secrets, publicUrl, signUp, oidcProviders, oidcOnly, rates, mails, now, report } = options;
  const { onPasswordChanged, onRecovered } = options;
  const passwords = !oidcOnly;
  const providers = createProviders({ providers: oidcProviders, publicUrl, now, warn: options.warn });
  const hasWayIn = createHasWayIn({
    passwords,
    passkeys: hasPasskeys(publicUrl),
    providers: oidcProviders.map(({ name }) => name),
  });
  const passwordHash = createPasswordHash();
  const users = createUsers({ passwords: passwordHash, db, now });
  const { sessionTimes: times, secondFactor } = options;
  const sessions = createSessions({ db, feed, secrets, times, secondFactor, now, report });
  const steps = createSteps({ db, secrets, feedName: feed.name, now });
  const secondFactors = createSecondFactors({ db, rule: secondFactor, passkeys: hasPasskeys(publicUrl) });
  const passkeys = createPasskeys({ db, publicUrl, steps, hasWayIn, secondFactors, now });
  const recoveryCodes = createRecoveryCodes({ db });
  const totp = createTotp({ db, secrets, recoveryCodes, secondFactors, publicUrl, now });
  const browsers = createBrowsers({ secrets });
  const loginThrottle = createLoginThrottle(rates);

  const requireAttempt = (c: Context, what: string) => requireTokens(rates.sign_in, `${what}|${addressOf(c)}`);
  const requireVisit = (c: Context, what: string) => requireTokens(rates.single_sign_on, `${what}|${addressOf(c)}`);
  /** @throws Problem `rate.exceeded` if a session of this user has tried too often */
  const requireConfirmAttempt = (userName: string) => requireTokens(rates.sign_in, `confirm|${userName}`);
  /** A browser where the user has signed in before has a budget of its own: guesses of others do not lock the user out. */
  const requireGuess = (request: Request, userName: string) =>
    requireTokens(rates.app_codes, [userName, browsers.knownTo(request, userName) ?? ''].join(' '));

  const ways = [byPasskey(passkeys), byApp(totp, requireGuess), byRecoveryCode(recoveryCodes, secondFactors)];
  const confirmation = createConfirmation({
    sessions,
    ways: passwords ? [byPassword(users), ...ways] : ways,
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

  const passwordChanges = createPasswordChanges({
    users,
    recoveryCodes,
    requireConfirmAttempt,
    onPasswordChanged,
    onRecovered,
    report,
  });
  const addresses = createAddresses({ db, now });
  const links = createLinkUses({
    secrets,
    feed,
    publicUrl,
    db,
    users,
    addresses,
    steps,
    totp,
    beginSession,
    onRecovered,
    report,
    now,
  });
  const addressMails = createAddressMails({
    addresses,
    mails,
    codes: createLinkCodes({ purpose: 'address link', secret: secrets[0], feedName: feed.name, now }),
    createLink: links.createMailed,
    rates,
    publicUrl,
    onAddressChanged: options.onAddressChanged,
    report,
  });
  const singleSignOn = createSingleSignOn({
    db,
    providers,
    identities: createIdentities({ db, now }),
    steps,
    sessions,
    users,
    recoveryCodes,
    publicUrl,
    signUp,
    requireConfirmed: confirmation.requireConfirmed,
    hasWayIn,
    browsers,
    totp,
    beginSession,
    onIdentityChanged: options.onIdentityChanged,
    report,
  });

  return {
    passwords,
    passwordHash,
    users,
    sessions,
    steps,
    secondFactors,
    passkeys,
    recoveryCodes,
    totp,
    browsers,
    providers,
    singleSignOn,
    confirmation,
    loginThrottle,
    passwordChanges,
    links,
    addressMails,
    requireAttempt,
    requireVisit,
    requireGuess,
    begin,
  };
}

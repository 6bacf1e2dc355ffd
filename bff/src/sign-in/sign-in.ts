/**
 * Sign-up, sign-in, sessions and passwords. It knows nothing about the records of users.
 *
 * `createSignIn` returns, for the other modules:
 * - `handle`: `/auth/*`
 * - `sessions`: `check`, the session of a request in a few microseconds; the others for the account page
 * - `requireOwnPage`: the check of every request with a cookie
 * - `requireConfirmed`: the check before what only the user may do, not who has found an open session
 * - `recoveryCodesLeft`, `replaceRecoveryCodes`, `noteStoredCodes`: for the account page
 * - `addUser`, `changePassword`, `requireUser`: for the operator's commands
 */
import { z } from '@hono/zod-openapi';
import type { JoinPreview, NewRecoveryCodes } from '../contract.ts';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import type { OidcProvider } from '../config/oidc-settings.ts';
import { Problem, type Report } from '../problem.ts';
import type { CheckedBindings } from '../http/request-bindings.ts';
import { limits, operatorActor, userNameRule } from '../limits/field-rules.ts';
import type { Rates } from '../limits/limit-tables.ts';
import { requireTurn } from '../limits/rate.ts';
import type { Database } from '../store/database.ts';
import type { Secrets } from '../store/secret.ts';
import { lockUser } from '../store/user-locks.ts';
import { foldUserName, requireUsablePassword, requireUserName } from './account-rules.ts';
import { authRoutes } from './auth.routes.ts';
import type { Recovery } from './recovery/recovery.routes.ts';
import { createBeginSession, type PasswordChanged, type Recovered, type SignedIn } from './begin-session.ts';
import { createLoginThrottle, type SignInRates } from './login-throttle.ts';
import { createBrowsers } from './browsers.ts';
import { createTotp, plainCode, type Totp } from './second-factor/totp.store.ts';
import {
  createPasskeys,
  hasPasskeys,
  usedCredential,
  type Passkeys,
  type UsedCredential,
} from './passkeys/passkeys.ts';
import { createAddressMails, type Mails } from './address/address-mails.ts';
import { createAddresses } from './address/addresses.store.ts';
import { createLinkCodes } from './address/link-codes.ts';
import { createLinkUses } from './address/link-uses.ts';
import { createConfirmation, type ConfirmingWay } from './confirm/confirm.ts';
import { createPasswordHash } from './password-hash.ts';
import { createIdentities } from './providers/identities.store.ts';
import { createProviders } from './providers/providers.ts';
import { createRecoveryCodes, type RecoveryCodes } from './recovery/recovery-codes.store.ts';
import { createSecondFactors, type SecondFactors } from './second-factor/second-factor.store.ts';
import { createSingleSignOn, type IdentityChanged } from './providers/single-sign-on.ts';
import { createSteps } from './steps.store.ts';
import {
  clearedSessionCookie,
  createOriginChecks,
  createSessions,
  type SecondFactorRule,
  type Session,
  type SessionLives,
  type SessionTimes,
} from './sessions.store.ts';
import { createHasWayIn } from './ways-in.store.ts';
import {
  addUserWithoutPassword,
  createUsers,
  removeUserWithoutPassword,
  throwNameTaken,
  type Users,
} from './users.store.ts';

export type { SessionLives };
const typedText = z.string().max(limits.textLength);

export type SignIn = ReturnType<typeof createSignIn>;

/** Makes the ways to sign in and what they share, and gives each the parts that it names: one list, as `createService` is of the service. */
export function createSignIn(options: {
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
  rates: SignInRates & Pick<Rates, 'mail_links' | 'mail_notices' | 'unverified_mails'>;
  mails: Mails;
  secondFactor: SecondFactorRule;
  now: () => Date;
  /** Receives internal errors. */
  report: Report;
  /** Called after each sign-in, but not after a sign-up. */
  onSignedIn: (session: SignedIn) => Promise<void>;
  /** Called after a change of password: the gateway replaces its key. The password stays changed if this fails. */
  onPasswordChanged: (changed: PasswordChanged) => Promise<void>;
  /** Called after a recovery code or a link of a mail has changed the password. */
  onRecovered: (recovered: Recovered) => Promise<void>;
  /** Called after a user has replaced the recovery codes. */
  onCodesReplaced: (replaced: { userName: string; userAgent: string }) => Promise<void>;
  /** Called after a user has verified a mail address, or removed one that was verified. */
  onAddressChanged: (changed: { userName: string; isAdded: boolean }) => Promise<void>;
  /** Called after a user has linked or unlinked an account of the provider with this label. */
  onIdentityChanged: (changed: IdentityChanged) => Promise<void>;
  warn: (message: string, fields: Record<string, unknown>) => void;
  /** What a link to join a swarm shows before sign-in. @throws Problem `link.not_found` */
  previewJoinLink: (code: string) => Promise<JoinPreview>;
}) {
  const { db, feed, secrets, publicUrl, signUp, oidcProviders, oidcOnly, rates, now, report } = options;
  const passwords = createPasswordHash();
  const sessions = createSessions({ ...options, times: options.sessionTimes });
  const users = createUsers({ passwords, db, now });
  const { requireSameOrigin, requireOwnPage } = createOriginChecks({ publicUrl });

  const steps = createSteps({ db, secrets, feedName: feed.name, now });
  const hasWayIn = hasWayInOf(options);
  const secondFactors = createSecondFactors({ db, rule: options.secondFactor, passkeys: hasPasskeys(publicUrl) });
  const passkeys = createPasskeys({ db, publicUrl, steps, hasWayIn, secondFactors, now });
  const recoveryCodes = createRecoveryCodes({ db });
  const totp = createTotp({ db, secrets, recoveryCodes, secondFactors, publicUrl, now });
  const browsers = createBrowsers({ secrets });

  /** @throws Problem `rate.exceeded` if a session of this user has tried too often */
  const requireConfirmAttempt = (userName: string) => requireTurn(rates.sign_in, `confirm|${userName}`);
  /** A browser where the user has signed in before has a budget of its own: guesses of others do not lock the user out. */
  const requireGuess = (request: Request, userName: string) =>
    requireTurn(rates.app_codes, [userName, browsers.knownTo(request, userName) ?? ''].join(' '));
  const confirmation = createConfirmation({
    sessions,
    ways: [
      ...(oidcOnly ? [] : [byPassword(users)]),
      byPasskey(passkeys),
      byApp(totp, requireGuess),
      byRecoveryCode(recoveryCodes, secondFactors),
    ],
    secondFactors,
    requireAttempt: requireConfirmAttempt,
    now,
  });

  const beginSession = createBeginSession({ ...options, sessions, browsers });
  const { links, addressMails } = createLinks({ ...options, users, steps, totp, beginSession });

  const providers = createProviders({ ...options, providers: oidcProviders });
  const singleSignOn = createSingleSignOn({
    ...options,
    providers,
    identities: createIdentities({ db, now }),
    steps,
    sessions,
    users,
    recoveryCodes,
    requireConfirmed: confirmation.requireConfirmed,
    hasWayIn,
    browsers,
    totp,
    beginSession,
  });

  const routes = authRoutes({
    signUp,
    passwords: !oidcOnly,
    singleSignOn,
    addressMails,
    sessions,
    users,
    recoveryCodes,
    confirmation,
    passkeys,
    totp,
    steps,
    browsers,
    requireGuess,
    report,
    requireSameOrigin,
    requireOwnPage,
    requireAttempt: (attempt) => requireTurn(rates.sign_in, attempt),
    requireVisit: (attempt) => requireTurn(rates.single_sign_on, attempt),
    loginThrottle: createLoginThrottle(rates),
    beginSession,
    previewJoinLink: options.previewJoinLink,
    ...links,
    signOutUrl: ({ way }) => providers.signOutUrl(way),
    recover: (recovery) => recover(recovery, { ...options, users, recoveryCodes }),
    changePassword: (change) => changePassword(change, { ...options, users, requireConfirmAttempt }),
  });

  return {
    endpoints: routes.routes,
    handle: async (request: Request, bindings: CheckedBindings): Promise<Response> => routes.fetch(request, bindings),
    requireOwnPage,
    requireConfirmed: confirmation.requireConfirmed,
    recoveryCodesLeft: recoveryCodes.left,
    noteStoredCodes: recoveryCodes.noteStored,
    addressMails,
    singleSignOn,
    examineProviders: providers.examine,
    secondFactors,

    /** Returns the new codes. @throws Problem `session.confirm`, or `session.missing` if the session has ended */
    async replaceRecoveryCodes(session: Session, { userAgent }: { userAgent: string }): Promise<NewRecoveryCodes> {
      const { userName } = session;
      const lives = confirmation.requireConfirmed(session);
      const { made, statements } = recoveryCodes.replacement(userName);
      const { ok } = await db.write([lockUser(userName), lives, ...statements]);
      if (!ok) throw new Problem('session.missing');
      await options.onCodesReplaced({ userName, userAgent }).catch(report);
      return made;
    },

    totp,
    requireGuess,
    clearedSessionCookie,
    sessions,
    purgeSteps: steps.purge,
    passkeys,
    endRolesOfOthers: singleSignOn.endRolesOfOthers,
    measurePasswords: passwords.measure,
    /** Users who cannot sign in. */
    usersWithoutPassword: { add: addUserWithoutPassword, remove: removeUserWithoutPassword },

    /** The name as it is stored. @throws Problem `user.not_found` */
    async requireUser(typed: string): Promise<string> {
      const userName = foldUserName(typed);
      if (!(await users.exists(userName))) throw new Problem('user.not_found');
      return userName;
    },

    /** @throws Problem `sign_up.name_invalid`, `sign_up.name_taken`, `password.too_weak`, `password.too_common` */
    async addUser({ userName, password }: { userName: string; password: string }): Promise<void> {
      const name = foldUserName(userName);
      requireUserName(name);
      await requireUsablePassword({ password, pointer: '/password' });
      await db.write(await users.creation({ userName: name, password, turn: operatorActor })).catch(throwNameTaken);
    },

    createLink: links.create,

    /** Sets a new password for the operator and ends all sessions. Returns false if there is no such user. */
    async changePassword({ userName, password }: { userName: string; password: string }): Promise<boolean> {
      await requireUsablePassword({ password, pointer: '/password' });
      const name = foldUserName(userName);
      const changed = await users.setPassword({ userName: name, password, keep: 'none' });
      if (changed)
        await options.onPasswordChanged({ userName: name, by: 'operator', userAgent: undefined }).catch(report);
      return changed;
    },
  };
}

/** The links of operators, and what goes to the mail addresses of users. */
function createLinks(
  options: Omit<Parameters<typeof createLinkUses>[0], 'addresses'> &
    Omit<Parameters<typeof createAddressMails>[0], 'addresses' | 'codes' | 'createLink'>,
) {
  const { feed, secrets, now } = options;
  const addresses = createAddresses(options);
  const links = createLinkUses({ ...options, addresses });
  const codes = createLinkCodes({ purpose: 'address link', secret: secrets[0], feedName: feed.name, now });
  return { links, addressMails: createAddressMails({ ...options, addresses, codes, createLink: links.createMailed }) };
}

type WaysIn = Pick<Parameters<typeof createSignIn>[0], 'oidcOnly' | 'oidcProviders' | 'publicUrl'>;

const hasWayInOf = ({ oidcOnly, oidcProviders, publicUrl }: WaysIn) =>
  createHasWayIn({
    passwords: !oidcOnly,
    passkeys: hasPasskeys(publicUrl),
    providers: oidcProviders.map(({ name }) => name),
  });

const byPassword = (users: Users): ConfirmingWay<string> => ({
  name: 'password',
  schema: typedText,
  isOf: async (userName) => Boolean(await users.passwordHash(userName)),
  async verify({ userName, value: password }) {
    const verified = await users.verifyPassword({ userName, password, turn: userName });
    return verified && [verified.unchanged];
  },
});

const byApp = (totp: Totp, requireGuess: (request: Request, userName: string) => void): ConfirmingWay<string> => ({
  name: 'totp',
  schema: typedText,
  isOf: totp.isOn,
  second: () => 'app',
  async verify({ userName, value: code, request }) {
    requireGuess(request, userName);
    const unused = await totp.verify({ userName, code: plainCode(code) });
    return unused && [unused];
  },
});

const byPasskey = (passkeys: Passkeys): ConfirmingWay<UsedCredential> => ({
  name: 'passkey',
  schema: usedCredential,
  isOf: async (userName) => passkeys.isAvailable && (await passkeys.list(userName)).length > 0,
  second: () => 'passkey',
  async verify({ userName, value, request }) {
    const used = await passkeys.verify(request, value);
    return used?.userName === userName ? used.statements : undefined;
  },
});

/** Uses the code up. It stands for the second factor of a user who has one. */
const byRecoveryCode = (codes: RecoveryCodes, { has }: SecondFactors): ConfirmingWay<string> => ({
  name: 'code',
  schema: typedText,
  isOf: async (userName) => (await codes.left(userName)) > 0,
  second: async (userName) => ((await has(userName)) ? 'code' : undefined),
  async verify({ userName, value: code }) {
    const unused = await codes.find({ userName, code });
    return unused && [unused];
  },
});

async function changePassword(
  change: Parameters<Parameters<typeof authRoutes>[0]['changePassword']>[0],
  {
    users,
    requireConfirmAttempt,
    onPasswordChanged,
    report,
  }: {
    users: Users;
    requireConfirmAttempt: (userName: string) => void;
    onPasswordChanged: (changed: PasswordChanged) => Promise<void>;
    report: Report;
  },
) {
  const { userName, sessionId, userAgent, currentPassword, newPassword: password, revokeOtherSessions } = change;
  requireConfirmAttempt(userName);
  const keep = revokeOtherSessions ? { sessionId } : 'all';
  const verified = await users.verifyPassword({ userName, password: currentPassword, turn: userName });
  // False if another request has changed the password meanwhile.
  const isChanged =
    verified && (await users.setPassword({ userName, password, keep, preconditions: [verified.unchanged] }));
  if (!isChanged) {
    const detail = 'is not the password of this account';
    const errors = [{ pointer: '/currentPassword', code: 'password.wrong', detail }];
    throw new Problem('password.wrong', { errors });
  }
  await onPasswordChanged({ userName, by: 'user', userAgent }).catch(report);
}

/** Uses the code up, sets the password and ends all sessions, in one write. */
async function recover(
  { code, newPassword: password, ...recovered }: Recovery,
  {
    users,
    recoveryCodes,
    onRecovered,
    report,
  }: {
    users: Users;
    recoveryCodes: RecoveryCodes;
    onRecovered: (recovered: Recovered) => Promise<void>;
    report: Report;
  },
) {
  const { userName } = recovered;
  const unused = userNameRule.test(userName) && (await recoveryCodes.find({ userName, code }));
  // Only a right code costs a hash.
  const isUsed = unused && (await users.setPassword({ userName, password, keep: 'none', preconditions: [unused] }));
  if (!isUsed) throw new Problem('sign_in.wrong_code');
  await onRecovered({ ...recovered, way: 'code' }).catch(report);
}

import { isIPv6 } from 'node:net';
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { JoinPreview, NewRecoveryCodes, SecondFactorNeeded, SignedOut, SignInOptions } from '../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import { notRouted, onError } from '../http/problem-response.ts';
import { Problem, type Report } from '../problem.ts';
import { bindingsOf, noteRoute, userAgentOf } from '../http/request-bindings.ts';
import { limits, userNameRule } from '../limits/field-rules.ts';
import { foldUserName, requireUsablePassword, requireUserName } from './account-rules.ts';
import type { AddressMails } from './address-mails.ts';
import type { BeginSession, BegunSession, From, Recovered } from './begin-session.ts';
import type { Browsers } from './browsers.ts';
import { confirmRoutes } from './confirm.routes.ts';
import { singleSignOnRoutes } from './single-sign-on.routes.ts';
import type { SingleSignOn } from './single-sign-on.ts';
import type { Confirmation } from './confirm.ts';
import type { EnteredByLink } from './link-uses.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { Passkeys } from './passkeys.ts';
import { passkeySignInRoutes } from './passkey-sign-in.routes.ts';
import { firstStep, secondFactorRoutes } from './second-factor.routes.ts';
import {
  clearedSessionCookie,
  keepsSecureCookies,
  requireUnlimited,
  type Session,
  type Sessions,
} from './sessions.store.ts';
import type { RecoveryCodes } from './recovery-codes.store.ts';
import type { Steps } from './steps.store.ts';
import type { Totp } from './totp.store.ts';
import { throwNameTaken, type Users } from './users.store.ts';

const text = z.string().max(limits.textLength);
const userName = text.transform(foldUserName);
const signUpBody = z.strictObject({ username: userName, password: text, name: text.optional() });
const signInBody = z.strictObject({ username: userName, password: text });
const signOutBody = z.strictObject({});
const linkBody = z.strictObject({ code: text });
/** Without passwords, the link begins a session. */
const useLinkBody = linkBody.extend({ newPassword: text.optional() });
const recoverBody = z.strictObject({ username: userName, code: text, newPassword: text });
const mailLinkBody = z.strictObject({ username: userName });
const changePasswordBody = z.strictObject({
  currentPassword: text,
  newPassword: text,
  revokeOtherSessions: z.boolean().default(true),
});

/** A user who has lost the password, and a recovery code. */
export interface Recovery extends Omit<Recovered, 'way'> {
  code: string;
  newPassword: string;
}

interface AuthRoutesOptions {
  signUp: 'open' | 'closed';
  /** Whether users have passwords. */
  passwords: boolean;
  singleSignOn: SingleSignOn;
  addressMails: AddressMails;
  sessions: Sessions;
  users: Users;
  recoveryCodes: RecoveryCodes;
  confirmation: Confirmation;
  passkeys: Passkeys;
  totp: Totp;
  steps: Steps;
  browsers: Browsers;
  /** @throws Problem `rate.exceeded` if codes of this user's app were guessed too often */
  requireGuess: (request: Request, userName: string) => void;
  report: Report;
  /** @throws Problem `origin.refused` if another site could have sent the request */
  requireSameOrigin: (request: Request) => void;
  /** The same, also of a read. */
  requireOwnPage: (request: Request) => void;
  /** @throws Problem `rate.exceeded` if this address has tried too often */
  requireAttempt: (attempt: string) => void;
  requireVisit: (attempt: string) => void;
  loginThrottle: LoginThrottle;
  beginSession: BeginSession;
  /** The user of a link to choose a password. @throws Problem `password_link.not_found` */
  openLink: (code: string) => Promise<string>;
  /** @throws Problem `password_link.not_found` */
  useLink: (use: { code: string; newPassword: string }, from: From) => Promise<void>;
  /** Signs in by a link, once. @throws Problem `password_link.not_found` */
  enterByLink: (code: string, from: From) => Promise<EnteredByLink>;
  /** Where the user of this session can also sign out at the provider. */
  signOutUrl: (session: Session) => Promise<string | undefined>;
  /** @throws Problem `sign_in.wrong_code` */
  recover: (recovery: Recovery) => Promise<void>;
  /** @throws Problem `link.not_found` */
  previewJoinLink: (code: string) => Promise<JoinPreview>;
  changePassword: (
    change: { userName: string; sessionId: string; userAgent: string } & z.output<typeof changePasswordBody>,
  ) => Promise<void>;
}

/** The endpoints of `/auth`. */
export function authRoutes(options: AuthRoutesOptions): Hono {
  const {
    signUp,
    passwords,
    singleSignOn,
    addressMails,
    sessions,
    users,
    recoveryCodes,
    confirmation,
    totp,
    browsers,
    report,
  } = options;
  /** @throws Problem `sign_in.provider_only` */
  const requirePasswords = () => {
    if (!passwords) throw new Problem('sign_in.provider_only');
  };
  const routes = new Hono().basePath('/auth');

  /** Begins the session of a user who has shown everything that is asked of them. */
  async function begin(c: Context, begun: BegunSession): Promise<string[] | undefined> {
    const cookies = await options.beginSession(begun, fromOf(c));
    if (cookies) options.loginThrottle.wasRight({ userName: begun.userName, address: addressOf(c) });
    return cookies;
  }

  routes.onError(onError(report));

  routes.use(noteRoute);
  routes.use(async (c, next) => {
    options.requireSameOrigin(c.req.raw);
    await next();
    c.header('cache-control', 'no-store');
  });

  routes.get('/options', (c) =>
    c.json<SignInOptions>({
      sign_up: signUp,
      passwords,
      passkeys: options.passkeys.isAvailable,
      mail_link: passwords && addressMails.isAvailable,
      providers: singleSignOn.providers,
    }),
  );

  routes.route('/', singleSignOnRoutes({ ...options, fromOf }));

  // The second path is for a tab that was opened before an update, whose web app knows only that one.
  routes.on('POST', ['/sign-up', '/sign-up/email'], async (c) => {
    requireKeptCookies(c.req.raw);
    requirePasswords();
    if (signUp === 'closed') throw new Problem('sign_up.closed');
    // Before the body is read, so that invalid bodies count.
    options.requireAttempt(`sign-up|${addressOf(c)}`);
    const { username, password } = (await readJsonBody(c, signUpBody)).body;
    requireUserName(username);
    await requireUsablePassword({ password, pointer: '/password' });
    const creation = await users.creation({ userName: username, password, turn: turnOf(addressOf(c)) });
    // An old app does not show them.
    const isShown = c.req.path === '/auth/sign-up';
    const { codes, statements } = isShown ? recoveryCodes.replacement(username) : { codes: [], statements: [] };
    const setCookie = await sessions
      .begin({
        userName: username,
        userAgent: userAgentOf(c.req.raw),
        way: 'password',
        after: [...creation, ...statements],
      })
      .catch(throwNameTaken);
    const signedUp: { user_id: string } & NewRecoveryCodes = { user_id: username, recovery_codes: codes };
    return c.json(signedUp, 201, { 'set-cookie': [setCookie!, browsers.cookieOf(c.req.raw, username)] });
  });

  routes.post('/sign-in/username', async (c) => {
    requireKeptCookies(c.req.raw);
    requirePasswords();
    const address = addressOf(c);
    // The address first: excess attempts do not count for the name.
    const requireUser = options.loginThrottle.requireAddress(address);
    const { body } = await readJsonBody(c, signInBody);
    // Keyboards of phones add a space behind a name.
    const userName = body.username.trim();
    requireUser(userName);
    if (!userNameRule.test(userName)) throw new Problem('sign_in.wrong_password');
    options.loginThrottle.requireTurn({ userName, address });
    const verified = await users.verifyPassword({ userName, password: body.password, turn: turnOf(address) });
    if (verified && (await totp.isOn(userName))) {
      const first = firstStep({ steps: options.steps, userName, way: 'password', hash: verified.hash });
      return c.json<SecondFactorNeeded>({ second_factor: true }, 200, { 'set-cookie': first });
    }
    // Undefined also if the password was changed, or the user disabled or deleted, while it was verified.
    const after = verified && [verified.unchanged, totp.isOff(userName)];
    const cookies = after && (await begin(c, { userName, way: 'password', after }));
    if (!cookies) throw new Problem('sign_in.wrong_password');
    return c.json({ user_id: userName }, 200, { 'set-cookie': cookies });
  });

  const [requireAttempt, requireVisit] = [byAddress(options.requireAttempt), byAddress(options.requireVisit)];
  routes.route('/', secondFactorRoutes({ ...options, requireAttempt, begin }));
  routes.route('/', confirmRoutes({ confirmation, sessions, requireOwnPage: options.requireOwnPage }));
  routes.route('/', passkeySignInRoutes({ ...options, requireAttempt, requireVisit, begin }));

  routes.post('/sign-out', (c) => signOut(c, options));

  routes.post('/change-password', async (c) => {
    requirePasswords();
    const current = await sessions.check(c.req.raw);
    if (!current) throw new Problem('session.missing');
    const { body } = await readJsonBody(c, changePasswordBody);
    // The body may have taken minutes to arrive.
    if (!(await sessions.check(c.req.raw))) throw new Problem('session.missing');
    requireUnlimited(current);
    await requireUsablePassword({ password: body.newPassword, pointer: '/newPassword' });
    await options.changePassword({ ...current, ...body, userAgent: userAgentOf(c.req.raw) });
    return c.body(null, 204);
  });

  // A POST, so that no log has the code.
  routes.post('/join-link', async (c) => {
    options.requireAttempt(`join|${addressOf(c)}`);
    const { body } = await readJsonBody(c, linkBody);
    return c.json(await options.previewJoinLink(body.code));
  });

  routes.post('/password-link', async (c) => {
    options.requireAttempt(`link|${addressOf(c)}`);
    const { body } = await readJsonBody(c, linkBody);
    return c.json({ user_id: await options.openLink(body.code) });
  });

  routes.post('/password-link/use', async (c) => {
    options.requireAttempt(`link|${addressOf(c)}`);
    const { code, newPassword = '' } = (await readJsonBody(c, useLinkBody)).body;
    if (!passwords) {
      const { cookies, isAsked } = await options.enterByLink(code, fromOf(c));
      const headers = { 'set-cookie': cookies };
      return isAsked ? c.json<SecondFactorNeeded>({ second_factor: true }, 200, headers) : c.body(null, 204, headers);
    }
    await requireUsablePassword({ password: newPassword, pointer: '/newPassword' });
    await options.useLink({ code, newPassword }, fromOf(c));
    return c.body(null, 204);
  });

  routes.post('/mail-link', async (c) => {
    options.requireAttempt(`lost|${addressOf(c)}`);
    requirePasswords();
    if (!addressMails.isAvailable) throw new Problem('mail.off');
    const { username } = (await readJsonBody(c, mailLinkBody)).body;
    // After the answer, which is the same for every name, and takes the same time.
    setImmediate(() => void addressMails.sendPasswordLink(username.trim()).catch(report));
    return c.body(null, 202);
  });

  // Without a session: the mail may be read on another device.
  routes.post('/address', async (c) => {
    options.requireAttempt(`address|${addressOf(c)}`);
    const { body } = await readJsonBody(c, linkBody);
    return c.json({ user_id: await addressMails.verify({ ...body, userAgent: userAgentOf(c.req.raw) }) });
  });

  // Bounded by address only: nobody guesses a code, and a limit by name would let strangers lock its owner out.
  routes.post('/recover', async (c) => {
    const address = addressOf(c);
    options.requireAttempt(`recover|${address}`);
    requirePasswords();
    const { username, code, newPassword } = (await readJsonBody(c, recoverBody)).body;
    await requireUsablePassword({ password: newPassword, pointer: '/newPassword' });
    const userName = username.trim();
    const requestId = bindingsOf(c).requestId?.() ?? '';
    await options.recover({ userName, code, newPassword, userAgent: userAgentOf(c.req.raw), requestId, address });
    options.loginThrottle.wasRight({ userName, address });
    return c.body(null, 204);
  });

  routes.all('*', (c) => {
    throw notRouted(routes, c.req.path);
  });
  return routes;
}

const byAddress = (take: (attempt: string) => void) => (c: Context, what: string) => take(`${what}|${addressOf(c)}`);

/** The address for rate limits. */
function addressOf(c: Context): string {
  return bindingsOf(c).clientAddress?.() ?? 'unknown';
}

async function signOut(c: Context, { sessions, signOutUrl }: Pick<AuthRoutesOptions, 'sessions' | 'signOutUrl'>) {
  await readJsonBody(c, signOutBody);
  const current = await sessions.check(c.req.raw);
  if (current) await sessions.end(current);
  const url = current && (await signOutUrl(current));
  const cleared = { 'set-cookie': clearedSessionCookie };
  return url === undefined ? c.body(null, 204, cleared) : c.json<SignedOut>({ url }, 200, cleared);
}

/** Whose turn it is to have a password hashed: a subscriber may have all /64 networks of a /48. */
function turnOf(address: string): string {
  return isIPv6(address) ? address.split(':').slice(0, 3).join(':') : address;
}

const fromOf = (c: Context): From => ({
  request: c.req.raw,
  userAgent: userAgentOf(c.req.raw),
  requestId: bindingsOf(c).requestId?.() ?? '',
  address: addressOf(c),
});

function requireKeptCookies(request: Request) {
  if (!keepsSecureCookies(request)) throw new Problem('sign_in.insecure_origin');
}

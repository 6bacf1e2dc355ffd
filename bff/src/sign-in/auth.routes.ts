import { isIPv6 } from 'node:net';
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { JoinPreview, NewRecoveryCodes, SecondFactorNeeded, SignedOut, SignInOptions } from '../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import { notRouted, onError } from '../http/problem-response.ts';
import { Problem } from '../problem.ts';
import { bindingsOf, noteRoute, userAgentOf } from '../http/request-bindings.ts';
import { limits, userNameRule } from '../limits/field-rules.ts';
import { foldUserName, requireUsablePassword, requireUserName } from './account-rules.ts';
import type { BeginSession, BegunSession, From } from './begin-session.ts';
import type { Browsers } from './browsers.ts';
import { confirmRoutes } from './confirm/confirm.routes.ts';
import { singleSignOnRoutes } from './providers/single-sign-on.routes.ts';
import type { SingleSignOn } from './providers/single-sign-on.ts';
import type { Confirmation } from './confirm/confirm.ts';
import type { Passkeys } from './passkeys/passkeys.ts';
import { passkeySignInRoutes } from './passkeys/passkey-sign-in.routes.ts';
import { firstStep, secondFactorRoutes } from './second-factor/second-factor.routes.ts';
import {
  clearedSessionCookie,
  keepsSecureCookies,
  requireUnlimited,
  type Session,
  type Sessions,
} from './sessions.store.ts';
import { noCodes, type RecoveryCodes } from './recovery/recovery-codes.store.ts';
import { linkBody, recoveryRoutes, type RecoveryOptions } from './recovery/recovery.routes.ts';
import type { Steps } from './steps.store.ts';
import type { Totp } from './second-factor/totp.store.ts';
import { throwNameTaken, type Users } from './users.store.ts';

const text = z.string().max(limits.textLength);
const userName = text.transform(foldUserName);
// Keyboards of phones add a space behind a name.
const newUserName = text.transform((typed) => foldUserName(typed).trim());
const signUpBody = z.strictObject({ username: newUserName, password: text, name: text.optional() });
const signInBody = z.strictObject({ username: userName, password: text });
const signOutBody = z.strictObject({});
const changePasswordBody = z.strictObject({
  currentPassword: text,
  newPassword: text,
  revokeOtherSessions: z.boolean().default(true),
});

interface AuthRoutesOptions extends RecoveryOptions {
  signUp: 'open' | 'closed';
  singleSignOn: SingleSignOn;
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
  /** @throws Problem `origin.refused` if another site could have sent the request */
  requireSameOrigin: (request: Request) => void;
  /** Refuses a request of another site, also a read. */
  requireOwnPage: (request: Request) => void;
  /** @throws Problem `rate.exceeded` if this address has tried too often */
  requireAttempt: (attempt: string) => void;
  requireVisit: (attempt: string) => void;
  beginSession: BeginSession;
  /** Where the user of this session can also sign out at the provider. */
  signOutUrl: (session: Session) => Promise<string | undefined>;
  /** @throws Problem `link.not_found` */
  previewJoinLink: (code: string) => Promise<JoinPreview>;
  changePassword: (
    change: { userName: string; sessionId: string; userAgent: string } & z.output<typeof changePasswordBody>,
  ) => Promise<void>;
}

/** The endpoints of `/auth`. */
export function authRoutes(options: AuthRoutesOptions): Hono {
  const { signUp, passwords, singleSignOn, addressMails, sessions, confirmation, report } = options;
  /** @throws Problem `sign_in.provider_only` */
  const requirePasswords = () => {
    if (!passwords) throw new Problem('sign_in.provider_only');
  };
  const [requireAttempt, requireVisit] = [byAddress(options.requireAttempt), byAddress(options.requireVisit)];
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
    requireAttempt(c, 'sign-up');
    return signUpWithPassword(c, options);
  });

  routes.post('/sign-in/username', async (c) => {
    requireKeptCookies(c.req.raw);
    requirePasswords();
    return signInWithPassword(c, { ...options, begin });
  });

  routes.route('/', secondFactorRoutes({ ...options, requireAttempt, begin }));
  routes.route('/', confirmRoutes({ confirmation, sessions, requireOwnPage: options.requireOwnPage }));
  routes.route('/', passkeySignInRoutes({ ...options, requireAttempt, requireVisit, begin }));
  routes.route('/', recoveryRoutes({ ...options, requirePasswords, requireAttempt, fromOf }));

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
    await options.changePassword({ ...current, ...body, userAgent: userAgentOf(c) });
    return c.body(null, 204);
  });

  // A POST, so that no log has the code.
  routes.post('/join-link', async (c) => {
    requireAttempt(c, 'join');
    const { body } = await readJsonBody(c, linkBody);
    return c.json(await options.previewJoinLink(body.code));
  });

  routes.all('*', (c) => {
    throw notRouted(routes, c.req.path);
  });
  return routes;
}

const byAddress = (take: (attempt: string) => void) => (c: Context, what: string) => take(`${what}|${addressOf(c)}`);

/** The address for rate limits. */
function addressOf(c: Context): string {
  return bindingsOf(c).clientAddress();
}

async function signUpWithPassword(c: Context, options: AuthRoutesOptions): Promise<Response> {
  const { users, recoveryCodes, sessions, browsers } = options;
  const { username, password } = (await readJsonBody(c, signUpBody)).body;
  requireUserName(username);
  await requireUsablePassword({ password, pointer: '/password' });
  const creation = await users.creation({ userName: username, password, turn: turnOf(addressOf(c)) });
  // An old app does not show them.
  const isShown = c.req.path === '/auth/sign-up';
  const { made, statements } = isShown ? recoveryCodes.replacement(username) : { made: noCodes, statements: [] };
  const setCookie = await sessions
    .begin({
      userName: username,
      userAgent: userAgentOf(c),
      way: 'password',
      after: [...creation, ...statements],
    })
    .catch(throwNameTaken);
  const signedUp: { user_id: string } & NewRecoveryCodes = { user_id: username, ...made };
  return c.json(signedUp, 201, { 'set-cookie': [setCookie!, browsers.cookieOf(c.req.raw, username)] });
}

async function signInWithPassword(
  c: Context,
  options: AuthRoutesOptions & { begin: (c: Context, begun: BegunSession) => Promise<string[] | undefined> },
): Promise<Response> {
  const { users, totp, steps, loginThrottle, begin } = options;
  const address = addressOf(c);
  // The address first: excess attempts do not count for the name.
  const requireUser = loginThrottle.requireAddress(address);
  const { body } = await readJsonBody(c, signInBody);
  // Keyboards of phones add a space behind a name.
  const userName = body.username.trim();
  requireUser(userName);
  if (!userNameRule.test(userName)) throw new Problem('sign_in.wrong_password');
  loginThrottle.requireTurn({ userName, address });
  const verified = await users.verifyPassword({ userName, password: body.password, turn: turnOf(address) });
  if (verified && (await totp.isOn(userName))) {
    const first = firstStep({ steps, userName, way: 'password', hash: verified.hash });
    return c.json<SecondFactorNeeded>({ second_factor: true }, 200, { 'set-cookie': first });
  }
  // Undefined also if the password was changed, or the user disabled or deleted, while it was verified.
  const after = verified && [verified.unchanged, totp.isOff(userName)];
  const cookies = after && (await begin(c, { userName, way: 'password', after }));
  if (!cookies) throw new Problem('sign_in.wrong_password');
  return c.json({ user_id: userName }, 200, { 'set-cookie': cookies });
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
  userAgent: userAgentOf(c),
  requestId: bindingsOf(c).requestId(),
  address: addressOf(c),
});

function requireKeptCookies(request: Request) {
  if (!keepsSecureCookies(request)) throw new Problem('sign_in.insecure_origin');
}

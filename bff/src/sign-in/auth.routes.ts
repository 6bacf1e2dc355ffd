import { randomUUID } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import { readJsonBody } from '../http/json-body.ts';
import { Problem, notRouted, onError, type ProblemCode, type Report } from '../http/problem.ts';
import { bindingsOf, noteRoute } from '../http/request-bindings.ts';
import { limits, userNameRule } from '../limits/field-rules.ts';
import { foldUserName, requireUsablePassword, requireUserName } from './account-rules.ts';
import { authPath, type Auth } from './better-auth.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { clearedSessionCookie, keepsSecureCookies, requireSameOrigin, type Sessions } from './sessions.store.ts';
import { throwNameTaken, type Users } from './users.store.ts';

const text = z.string().max(limits.textLength);
const userName = text.transform(foldUserName);
const signUpBody = z.strictObject({ username: userName, password: text, name: text.optional() });
const signInBody = z.strictObject({ username: userName, password: text });
const signOutBody = z.strictObject({});
const linkBody = z.strictObject({ code: text });
const useLinkBody = linkBody.extend({ newPassword: text });
const changePasswordBody = z.strictObject({
  currentPassword: text,
  newPassword: text,
  revokeOtherSessions: z.boolean().default(true),
});

export interface SignedIn {
  userName: string;
  userAgent: string;
  requestId: string;
  address: string;
}

interface AuthRoutesOptions {
  auth: Auth;
  origin: string;
  signUp: 'open' | 'closed';
  sessions: Sessions;
  users: Users;
  report: Report;
  /** @throws Problem `rate.exceeded` if this address has tried too often */
  requireAttempt: (attempt: string) => void;
  loginThrottle: LoginThrottle;
  /** Called after each sign-in. */
  onSignedIn: (session: SignedIn) => Promise<void>;
  /** The user of a link to choose a password. @throws Problem `password_link.not_found` */
  openLink: (code: string) => Promise<string>;
  /** @throws Problem `password_link.not_found` */
  useLink: (use: z.output<typeof useLinkBody>) => Promise<void>;
  changePassword: (
    change: { userName: string; sessionId: string } & z.output<typeof changePasswordBody>,
  ) => Promise<void>;
}

/** The seven endpoints of `/auth`. Sign-up and sign-in call Better Auth, which gets no other requests. */
export function authRoutes(options: AuthRoutesOptions): Hono {
  const { auth, origin, signUp, sessions, users, report } = options;
  const routes = new Hono().basePath(authPath);
  routes.onError(onError(report));

  routes.use(noteRoute);
  routes.use(async (c, next) => {
    requireSameOrigin(c.req.raw);
    await next();
    c.header('cache-control', 'no-store');
  });

  routes.get('/options', (c) => c.json({ sign_up: signUp }));

  routes.post('/sign-up/email', async (c) => {
    requireKeptCookies(c.req.raw);
    if (signUp === 'closed') throw new Problem('sign_up.closed');
    // Before the body is read, so that invalid bodies count.
    options.requireAttempt(`sign-up|${addressOf(c)}`);
    const { username, password } = (await readJsonBody(c, signUpBody)).body;
    requireUserName(username);
    requireUsablePassword({ password, pointer: '/password' });
    // Better Auth requires an e-mail address, which users here do not have.
    const email = `${randomUUID()}@people.invalid`;
    const body = { username, password, name: username, email };
    const cookies = await callBetterAuth(c, '/sign-up/email', body).catch(throwNameTaken);
    return signedIn(c, username, cookies, 201);
  });

  routes.post('/sign-in/username', async (c) => {
    requireKeptCookies(c.req.raw);
    // The address first, so that invalid bodies count, and excess attempts do not count for the name.
    options.requireAttempt(`sign-in|${addressOf(c)}`);
    const { body } = await readJsonBody(c, signInBody);
    const attempt = { userName: body.username, address: addressOf(c) };
    if (!userNameRule.test(body.username)) throw new Problem('sign_in.wrong_password');
    options.loginThrottle.requireTurn(attempt);
    const hash = await users.passwordHash(body.username);
    // It takes as long as for a user with a password.
    if (hash === undefined && !(await users.verifyPassword({ userName: body.username, password: body.password })))
      throw new Problem('sign_in.wrong_password');
    const changed = async () => (await users.passwordHash(body.username)) !== hash;
    const signingIn = callBetterAuth(c, '/sign-in/username', body);
    const cookies = await signingIn.catch(async (error: unknown) => {
      // The account was deleted while its password was verified.
      throw (await changed()) ? new Problem('sign_in.wrong_password') : error;
    });
    if (await changed()) await takeBack(cookies);
    options.loginThrottle.wasRight(attempt);
    const before = await sessions.check(c.req.raw);
    if (before) await sessions.end(before);
    const requestId = bindingsOf(c).requestId?.() ?? '';
    const session = { userName: body.username, userAgent: userAgentOf(c), requestId, address: addressOf(c) };
    await options.onSignedIn(session).catch(report);
    return signedIn(c, body.username, cookies, 200);
  });

  routes.post('/sign-out', async (c) => {
    await readJsonBody(c, signOutBody);
    const current = await sessions.check(c.req.raw);
    if (current) await sessions.end(current);
    return c.body(null, 204, { 'set-cookie': clearedSessionCookie });
  });

  routes.post('/change-password', async (c) => {
    const current = await sessions.check(c.req.raw);
    if (!current) throw new Problem('session.missing');
    const { body } = await readJsonBody(c, changePasswordBody);
    // The body may have taken minutes to arrive.
    if (!(await sessions.check(c.req.raw))) throw new Problem('session.missing');
    requireUsablePassword({ password: body.newPassword, pointer: '/newPassword' });
    await options.changePassword({ ...current, ...body });
    return c.body(null, 204);
  });

  routes.post('/password-link', async (c) => {
    options.requireAttempt(`link|${addressOf(c)}`);
    const { body } = await readJsonBody(c, linkBody);
    return c.json({ user_id: await options.openLink(body.code) });
  });

  routes.post('/password-link/use', async (c) => {
    options.requireAttempt(`link|${addressOf(c)}`);
    const { body } = await readJsonBody(c, useLinkBody);
    requireUsablePassword({ password: body.newPassword, pointer: '/newPassword' });
    await options.useLink(body);
    return c.body(null, 204);
  });

  routes.all('*', (c) => {
    throw notRouted(routes, c.req.path);
  });
  return routes;

  /** The password was changed while the session was created, so the change could not end it. */
  async function takeBack(cookies: string[]): Promise<never> {
    const headers = { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') };
    const made = await sessions.check(new Request(origin, { headers }));
    if (made) await sessions.end(made);
    throw new Problem('sign_in.wrong_password');
  }

  /** Returns the cookies of the response. */
  function callBetterAuth(c: Context, path: string, body: object): Promise<string[]> {
    const headers = new Headers({
      'content-type': 'application/json',
      'user-agent': userAgentOf(c),
    });
    const cookie = c.req.header('cookie');
    if (cookie) headers.set('cookie', cookie);
    const url = `${origin}${authPath}${path}`;
    return auth.handler(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) })).then(cookiesOf);
  }
}

/** The address for rate limits. */
function addressOf(c: Context): string {
  return bindingsOf(c).clientAddress?.() ?? 'unknown';
}

function userAgentOf(c: Context): string {
  return (c.req.header('user-agent') ?? '').slice(0, 512);
}

function requireKeptCookies(request: Request) {
  if (!keepsSecureCookies(request)) throw new Problem('sign_in.insecure_origin');
}

/** The session's token is only in the cookie, which scripts cannot read. */
function signedIn(c: Context, user_id: string, cookies: string[], status: 200 | 201): Response {
  const answer = c.json({ user_id }, status);
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie);
  return answer;
}

/** Maps Better Auth's error codes to problem codes. */
const problemOf: Record<string, ProblemCode> = {
  INVALID_USERNAME_OR_PASSWORD: 'sign_in.wrong_password',
  USERNAME_IS_ALREADY_TAKEN: 'sign_up.name_taken',
};

/** The cookies of a successful response. @throws Problem if Better Auth rejected the request */
async function cookiesOf(answer: Response): Promise<string[]> {
  if (answer.ok) return answer.headers.getSetCookie();
  const { code = '' } = (await answer.json()) as { code?: string };
  const known = problemOf[code];
  throw known ? new Problem(known) : new Error(`Better Auth answered ${answer.status} ${code}`);
}

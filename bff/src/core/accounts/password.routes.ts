import { isIPv6 } from 'node:net';
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import { attempt, type NewRecoveryCodes, type SecondFactorNeeded } from '../../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import { Problem } from '../problem.ts';
import { userAgentOf } from '../http/request-bindings.ts';
import { limits, userNameRule } from '../limits/field-rules.ts';
import { foldUserName, requirePasswords, requireUsablePassword, requireUserName } from './account-rules.ts';
import { lockUser } from '../store/user-locks.ts';
import { noCodes } from './accounts.ts';
import type { BegunSession } from './begin-session.ts';
import type { Browsers } from './browsers.ts';
import { addressOf } from './from.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { PasswordChanges } from './password-changes.ts';
import type { SecondStep } from './second-step.ts';
import { keepsSecureCookies } from './session-cookie.ts';
import { requireUnlimited, type Sessions } from './sessions.store.ts';
import { isNameTaken, throwNameTaken, type Users } from './users.store.ts';
import type { Codes } from './ways.ts';

const text = z.string().max(limits.textLength);
// Keyboards of phones add a space behind a name.
const newUserName = text.transform((typed) => foldUserName(typed).trim());
const signUpBody = z.strictObject({
  username: newUserName,
  password: text,
  name: text.optional(),
  attempt: attempt.optional(),
});
const signInBody = z.strictObject({ username: text.transform(foldUserName), password: text });
/** In place of the name in an invalid body. Nobody has it. */
const nobody = '';
const changePasswordBody = z.strictObject({
  currentPassword: text,
  newPassword: text,
  revokeOtherSessions: z.boolean().default(true),
});

/** Signs up and in with a password, and changes it. */
export function passwordRoutes({
  signUp,
  passwords,
  users,
  codes,
  sessions,
  browsers,
  secondStep,
  loginThrottle,
  requireAttempt,
  begin,
  changePassword,
}: {
  signUp: 'open' | 'closed';
  /** Whether users have passwords. */
  passwords: boolean;
  users: Pick<Users, 'creation' | 'verifyPassword'>;
  codes: () => Codes;
  sessions: Pick<Sessions, 'begin' | 'check' | 'endReplaced' | 'ofSignUp'>;
  browsers: Pick<Browsers, 'cookieOf'>;
  secondStep: Pick<SecondStep, 'isAsked' | 'notAsked' | 'begin'>;
  loginThrottle: Pick<LoginThrottle, 'requireAddress' | 'requireName'>;
  /** By address. @throws Problem `rate.exceeded` */
  requireAttempt: (c: Context, what: string) => void;
  /** Begins a session. Returns `Set-Cookie` headers; undefined if a statement failed. */
  begin: (c: Context, begun: BegunSession) => Promise<string[] | undefined>;
  changePassword: PasswordChanges['byUser'];
}): Hono {
  const routes = new Hono();

  // The second path is for a tab that was opened before an update, whose web app knows only that one.
  routes.on('POST', ['/sign-up', '/sign-up/email'], async (c) => {
    requireKeptCookies(c.req.raw);
    requirePasswords(passwords);
    if (signUp === 'closed') throw new Problem('sign_up.closed');
    // Before the body is read, so that invalid bodies count.
    requireAttempt(c, 'sign-up');
    const { username: userName, password, attempt } = (await readJsonBody(c, signUpBody)).body;
    requireUserName(userName);
    await requireUsablePassword({ password, pointer: '/password' });
    const credentials = { userName, password, requestedBy: networkOf(addressOf(c)) };
    const creation = await users.creation(credentials);
    // An old app does not show them.
    const isShown = c.req.path === '/auth/sign-up';
    const { made, statements } = isShown ? codes().replacement(userName) : { made: noCodes, statements: [] };
    const begun = { userName, userAgent: userAgentOf(c), way: 'password', attempt };
    const setCookie = await sessions.begin({ ...begun, after: [...creation, ...statements] }).catch(async (error) => {
      const earlier = isNameTaken(error) && attempt ? await sessions.ofSignUp({ userName, attempt }) : undefined;
      const verified = earlier && (await users.verifyPassword(credentials));
      if (!earlier || !verified) return throwNameTaken(error);
      // Nobody has seen the codes of the earlier try.
      const after = [
        lockUser(userName),
        earlier.end,
        verified.unchanged,
        ...secondStep.notAsked(userName),
        ...statements,
      ];
      return (await sessions.begin({ ...begun, after })) ?? throwNameTaken(error);
    });
    await sessions.endReplaced(c.req.raw);
    const signedUp: { user_id: string } & NewRecoveryCodes = { user_id: userName, ...made };
    return c.json(signedUp, 201, { 'set-cookie': [setCookie!, browsers.cookieOf(c.req.raw, userName)] });
  });

  routes.post('/sign-in/username', async (c) => {
    requireKeptCookies(c.req.raw);
    requirePasswords(passwords);
    const address = addressOf(c);
    // The address first: excess attempts do not count for the name.
    const requireUser = loginThrottle.requireAddress(address);
    const { body } = await readJsonBody(c, signInBody).catch((error) => {
      requireUser(nobody);
      throw error;
    });
    // Keyboards of phones add a space behind a name.
    const userName = body.username.trim();
    requireUser(userName);
    if (!userNameRule.test(userName)) throw new Problem('sign_in.wrong_password');
    loginThrottle.requireName({ userName, address });
    const verified = await users.verifyPassword({ userName, password: body.password, requestedBy: networkOf(address) });
    if (verified && (await secondStep.isAsked(userName))) {
      const first = secondStep.begin({ userName, way: 'password', hash: verified.hash });
      return c.json<SecondFactorNeeded>({ second_factor: true }, 200, { 'set-cookie': first });
    }
    // Undefined also if the password was changed, or the user disabled or deleted, while it was verified.
    const after = verified && [verified.unchanged, ...secondStep.notAsked(userName)];
    const cookies = after && (await begin(c, { userName, way: 'password', after }));
    if (!cookies) throw new Problem('sign_in.wrong_password');
    return c.json({ user_id: userName }, 200, { 'set-cookie': cookies });
  });

  routes.post('/change-password', async (c) => {
    requirePasswords(passwords);
    const current = await sessions.check(c.req.raw);
    if (!current) throw new Problem('session.missing');
    const { body } = await readJsonBody(c, changePasswordBody);
    // The body may have taken minutes to arrive.
    if (!(await sessions.check(c.req.raw))) throw new Problem('session.missing');
    requireUnlimited(current);
    await requireUsablePassword({ password: body.newPassword, pointer: '/newPassword' });
    await changePassword({ ...current, ...body, userAgent: userAgentOf(c) });
    return c.body(null, 204);
  });
  return routes;
}

/** The network whose requests take turns: a subscriber may have all /64 networks of a /48. */
function networkOf(address: string): string {
  return isIPv6(address) ? address.split(':').slice(0, 3).join(':') : address;
}

function requireKeptCookies(request: Request) {
  if (!keepsSecureCookies(request)) throw new Problem('sign_in.insecure_origin');
}

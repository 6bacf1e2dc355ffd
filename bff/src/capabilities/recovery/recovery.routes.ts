import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { NewRecoveryCodes } from '../../contract.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { userAgentOf } from '../../core/http/request-bindings.ts';
import { limits, userNameRule } from '../../core/limits/field-rules.ts';
import { Problem, type Report } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import { foldUserName, requirePasswords, requireUsablePassword } from '../../core/accounts/account-rules.ts';
import type { Recovered } from '../../core/accounts/begin-session.ts';
import { fromOf } from '../../core/accounts/from.ts';
import type { LoginThrottle } from '../../core/accounts/login-throttle.ts';
import type { Session, SessionLives } from '../../core/accounts/sessions.store.ts';
import type { Users } from '../../core/accounts/users.store.ts';
import type { SignInChanged } from '../../core/accounts/ways.ts';
import type { RecoveryCodes as CodesLeft } from './contract.ts';
import type { RecoveryCodes } from './recovery-codes.store.ts';

const text = z.string().max(limits.textLength);
const userName = text.transform(foldUserName);
const recoverBody = z.strictObject({ username: userName, code: text, newPassword: text });
const codesBody = z.strictObject({});
const storedBody = z.strictObject({ set_id: text });
const noStore = { 'cache-control': 'no-store' };

/** A lost password. */
export function recoveryRoutes({
  passwords,
  users,
  recoveryCodes,
  loginThrottle,
  requireAttempt,
  onRecovered,
  report,
}: {
  /** Whether users have passwords. */
  passwords: boolean;
  users: Pick<Users, 'setPassword'>;
  recoveryCodes: Pick<RecoveryCodes, 'find'>;
  loginThrottle: Pick<LoginThrottle, 'wasRight'>;
  /** By address. @throws Problem `rate.exceeded` */
  requireAttempt: (c: Context, what: string) => void;
  onRecovered: (recovered: Recovered) => Promise<void>;
  report: Report;
}): Hono {
  const routes = new Hono();

  // Bounded by address only: nobody guesses a code, and a limit by name would let strangers lock its owner out.
  routes.post('/recover', async (c) => {
    requireAttempt(c, 'recover');
    requirePasswords(passwords);
    const { username, code, newPassword: password } = (await readJsonBody(c, recoverBody)).body;
    await requireUsablePassword({ password, pointer: '/newPassword' });
    const recovered = { ...fromOf(c), userName: username.trim() };
    const { userName } = recovered;
    const unused = userNameRule.test(userName) && (await recoveryCodes.find({ userName, code }));
    // Only a right code costs a hash. The code is used up, the password set and all sessions ended in one write.
    const isUsed = unused && (await users.setPassword({ userName, password, keep: 'none', preconditions: [unused] }));
    if (!isUsed) throw new Problem('sign_in.wrong_code');
    await onRecovered({ ...recovered, way: 'code' }).catch(report);
    loginThrottle.wasRight(recovered);
    return c.body(null, 204);
  });
  return routes;
}

/** The requests of the account page about the codes of a user. */
export function recoveryCodeRoutes({
  db,
  recoveryCodes,
  sessionOf,
  requireConfirmed,
  onChanged,
}: {
  db: Database;
  recoveryCodes: Pick<RecoveryCodes, 'left' | 'replacement' | 'noteStored'>;
  sessionOf: (c: Context) => Session;
  /** @throws Problem `session.confirm` */
  requireConfirmed: (session: Session) => SessionLives;
  onChanged: (changed: SignInChanged) => Promise<void>;
}): Hono {
  const routes = new Hono();

  routes.get('/account/recovery-codes', async (c) =>
    c.json<CodesLeft>({ left: await recoveryCodes.left(sessionOf(c).userName) }, 200, noStore),
  );

  routes.post('/account/recovery-codes', async (c) => {
    const session = sessionOf(c);
    requireConfirmed(session);
    await readJsonBody(c, codesBody);
    const { userName } = session;
    // The body may have taken minutes to arrive.
    const lives = requireConfirmed(session);
    const { made, statements } = recoveryCodes.replacement(userName);
    const { ok } = await db.write([lockUser(userName), lives, ...statements]);
    if (!ok) throw new Problem('session.missing');
    await onChanged({ change: 'recovery_codes_made', userName, userAgent: userAgentOf(c) });
    return c.json<NewRecoveryCodes>(made, 201, noStore);
  });

  routes.put('/account/recovery-codes/stored', async (c) => {
    const { set_id: setId } = (await readJsonBody(c, storedBody)).body;
    await recoveryCodes.noteStored({ userName: sessionOf(c).userName, setId });
    return c.body(null, 204);
  });
  return routes;
}

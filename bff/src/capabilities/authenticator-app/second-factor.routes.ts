import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import { readJsonBody } from '../../core/http/json-body.ts';
import { limits } from '../../core/limits/field-rules.ts';
import { Problem } from '../../core/problem.ts';
import type { BegunSession } from '../../core/accounts/begin-session.ts';
import type { SecondStep } from '../../core/accounts/second-step.ts';
import type { Codes } from '../../core/accounts/ways.ts';
import type { Steps } from '../../core/accounts/steps.store.ts';
import { codeOfApp, plainCode, type Totp } from './totp.store.ts';
import type { Users } from '../../core/accounts/users.store.ts';

const body = z.strictObject({ code: z.string().max(limits.textLength) });

/** The second step of a sign-in by password or by a provider, for users with an authenticator app. */
export function secondFactorRoutes(options: {
  steps: Pick<Steps, 'used'>;
  users: Pick<Users, 'passwordHash' | 'unchanged'>;
  totp: Totp;
  codes: () => Codes;
  secondStep: SecondStep;
  /** By address, before the body is read. @throws Problem `rate.exceeded` */
  requireAttempt: (c: Context, what: string) => void;
  /** @throws Problem `rate.exceeded` if codes of this user's app were guessed too often */
  requireGuess: (request: Request, userName: string) => void;
  /** Begins a session. Returns `Set-Cookie` headers; undefined if a statement failed. */
  begin: (c: Context, begun: BegunSession) => Promise<string[] | undefined>;
}) {
  const { steps, secondStep, users, totp, codes, requireAttempt, requireGuess, begin } = options;
  const routes = new Hono();

  routes.post('/second-factor', async (c) => {
    const request = c.req.raw;
    requireAttempt(c, 'second-factor');
    const { code } = (await readJsonBody(c, body)).body;
    const step = secondStep.open(request);
    if (!step) throw new Problem('second_factor.too_late');
    const { userName, way } = step.value;
    const hash = await users.passwordHash(userName);
    if (hash === undefined || !secondStep.isOf(step, hash)) throw new Problem('second_factor.too_late');
    const plain = plainCode(code);
    const isOfApp = codeOfApp.test(plain);
    // Nobody guesses a recovery code: its user is not locked out by others.
    if (isOfApp) requireGuess(request, userName);
    const used = isOfApp ? await totp.verify({ userName, code: plain }) : await codes().find({ userName, code });
    const after = used && [steps.used(step), users.unchanged({ userName, hash }), used];
    const cookies = after && (await begin(c, { userName, way: `${way}+${isOfApp ? 'app' : 'code'}`, after }));
    if (!cookies) throw new Problem('second_factor.wrong');
    return c.json({ user_id: userName }, 200, { 'set-cookie': [...cookies, secondStep.cleared()] });
  });

  return routes;
}

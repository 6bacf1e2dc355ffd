/** The requests of the account page about the user's authenticator app. */
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { NewRecoveryCodes } from '../../contract.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { userAgentOf } from '../../core/http/request-bindings.ts';
import { limits } from '../../core/limits/field-rules.ts';
import { Problem } from '../../core/problem.ts';
import type { SignInChanged } from '../../core/accounts/ways.ts';
import type { Session, SessionLives } from '../../core/accounts/sessions.store.ts';
import type { NewTotp, Totp as TotpState } from './contract.ts';
import { plainCode, type Totp } from './totp.store.ts';

const emptyBody = z.strictObject({});
const codeBody = z.strictObject({ code: z.string().max(limits.textLength) });
const noStore = { 'cache-control': 'no-store' };

export function totpRoutes(options: {
  totp: Totp;
  sessionOf: (c: Context) => Session;
  /** @throws Problem `session.confirm` */
  requireConfirmed: (session: Session) => SessionLives;
  /** @throws Problem `rate.exceeded` */
  requireGuess: (request: Request, userName: string) => void;
  onChanged: (changed: SignInChanged) => Promise<void>;
}): Hono {
  const { totp, sessionOf, requireConfirmed, requireGuess, onChanged } = options;
  const routes = new Hono();

  routes.get('/account/totp', async (c) =>
    c.json<TotpState>({ is_on: await totp.isOn(sessionOf(c).userName) }, 200, noStore),
  );

  routes.post('/account/totp', async (c) => {
    const session = sessionOf(c);
    const lives = requireConfirmed(session);
    await readJsonBody(c, emptyBody);
    return c.json<NewTotp>(await totp.begin({ userName: session.userName, lives }), 201, noStore);
  });

  routes.post('/account/totp/confirm', async (c) => {
    const session = sessionOf(c);
    const { userName } = session;
    const lives = requireConfirmed(session);
    const { code } = (await readJsonBody(c, codeBody)).body;
    requireGuess(c.req.raw, userName);
    const { made, isRepeated } = await totp.confirm({ session, code: plainCode(code), lives });
    const userAgent = userAgentOf(c);
    if (!isRepeated) await onChanged({ change: 'totp_set_up', userName, userAgent });
    if (made.recovery_codes.length > 0) await onChanged({ change: 'recovery_codes_made', userName, userAgent });
    return c.json<NewRecoveryCodes>(made, 200, noStore);
  });

  routes.delete('/account/totp', async (c) => {
    const session = sessionOf(c);
    const { userName } = session;
    const wasOn = await totp.remove({ session, lives: requireConfirmed(session) });
    if (!wasOn) throw new Problem('totp.not_found');
    await onChanged({ change: 'totp_removed', userName, userAgent: userAgentOf(c) });
    return c.body(null, 204);
  });
  return routes;
}

import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { PasskeyRequest } from './contract.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { Problem } from '../../core/problem.ts';
import type { BegunSession } from '../../core/accounts/begin-session.ts';
import { usedCredential, type Passkeys } from './passkeys.ts';

const signInBody = z.strictObject({ credential: usedCredential });

/**
 * Signs in with a passkey, without a user name. Bounded by address only: nobody guesses a signature, and a limit by name would let
 * strangers lock its owner out.
 */
export function passkeySignInRoutes(options: {
  passkeys: Passkeys;
  /** @throws Problem `rate.exceeded` */
  requireAttempt: (c: Context, what: string) => void;
  /** Counts what an office with one address does more often. */
  requireVisit: (c: Context, what: string) => void;
  /** Begins a session. Returns `Set-Cookie` headers; undefined if a statement failed. */
  begin: (c: Context, begun: BegunSession) => Promise<string[] | undefined>;
}): Hono {
  const { passkeys, requireAttempt, requireVisit, begin } = options;
  const routes = new Hono();

  // Also for a session that confirms that it is its user. Each opening of the sign-in page asks, so that the browser offers passkeys.
  routes.post('/sign-in/passkey/options', async (c) => {
    requireVisit(c, 'passkey-options');
    if (!passkeys.isAvailable) throw new Problem('sign_in.wrong_passkey');
    const { options: asked, cookies } = await passkeys.request(c.req.raw);
    return c.json<PasskeyRequest>(asked, 200, { 'set-cookie': cookies });
  });

  routes.post('/sign-in/passkey', async (c) => {
    requireAttempt(c, 'passkey');
    const { credential } = (await readJsonBody(c, signInBody)).body;
    const used = await passkeys.verify(c.req.raw, credential);
    const cookies = used && (await begin(c, { userName: used.userName, way: 'passkey', after: used.statements }));
    if (!cookies) throw new Problem('sign_in.wrong_passkey');
    return c.json({ user_id: used.userName }, 200, { 'set-cookie': cookies });
  });
  return routes;
}

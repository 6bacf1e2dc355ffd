/** The requests of the account page about the passkeys of a user. */
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import { resourceCreate } from '../../contract.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { userAgentOf } from '../../core/http/request-bindings.ts';
import { Problem } from '../../core/problem.ts';
import type { Passkey, PasskeyCreation } from './contract.ts';
import { newCredential, type Passkeys } from './passkeys.ts';
import type { SignInChanged } from '../../core/accounts/ways.ts';
import type { Session, SessionLives } from '../../core/accounts/sessions.store.ts';

const { name } = resourceCreate.shape;
const nameBody = z.strictObject({ name });
const addBody = z.strictObject({ name, credential: newCredential });
const noStore = { 'cache-control': 'no-store' };

export function passkeyRoutes(options: {
  passkeys: Passkeys;
  sessionOf: (c: Context) => Session;
  /** Returns a statement for the write of what was confirmed. @throws Problem `session.confirm` */
  requireConfirmed: (session: Session) => SessionLives;
  onChanged: (changed: SignInChanged) => Promise<void>;
}): Hono {
  const { passkeys, sessionOf, requireConfirmed, onChanged } = options;
  const routes = new Hono();
  const passkeyOf = (c: Context) => ({ userName: sessionOf(c).userName, id: c.req.param('id') ?? '' });

  routes.get('/account/passkeys', async (c) =>
    c.json<{ items: Passkey[] }>({ items: await passkeys.list(sessionOf(c).userName) }, 200, noStore),
  );

  routes.post('/account/passkeys/options', async (c) => {
    const session = sessionOf(c);
    requireConfirmed(session);
    if (!passkeys.isAvailable) throw new Problem('passkey.refused');
    const { options: asked, cookies } = await passkeys.creation(session.userName, c.req.raw);
    return c.json<PasskeyCreation>(asked, 200, { ...noStore, 'set-cookie': cookies });
  });

  routes.post('/account/passkeys', async (c) => {
    const session = sessionOf(c);
    const confirmed = requireConfirmed(session);
    const { body } = await readJsonBody(c, addBody);
    const { userName } = session;
    const id = await passkeys.add({ session, request: c.req.raw, confirmed, ...body });
    await onChanged({ change: 'passkey_added', userName, detail: body.name, userAgent: userAgentOf(c) });
    return c.json<{ id: string }>({ id }, 201, noStore);
  });

  routes.put('/account/passkeys/:id', async (c) => {
    const { body } = await readJsonBody(c, nameBody);
    if (!(await passkeys.rename({ ...passkeyOf(c), ...body }))) throw new Problem('passkey.not_found');
    return c.body(null, 204);
  });

  routes.delete('/account/passkeys/:id', async (c) => {
    const session = sessionOf(c);
    const confirmed = requireConfirmed(session);
    const removed = await passkeys.remove({ session, id: c.req.param('id'), confirmed });
    const { userName } = session;
    await onChanged({ change: 'passkey_removed', userName, detail: removed, userAgent: userAgentOf(c) });
    return c.body(null, 204);
  });
  return routes;
}

/** The requests of the account page about the providers by which a user can sign in. */
import { Hono, type Context } from 'hono';
import { userAgentOf } from '../../core/http/request-bindings.ts';
import type { Session } from '../../core/accounts/sessions.store.ts';
import type { Identity } from './contract.ts';
import type { SingleSignOn } from './single-sign-on.ts';

const noStore = { 'cache-control': 'no-store' };

export function identityRoutes({
  singleSignOn,
  sessionOf,
}: {
  singleSignOn: Pick<SingleSignOn, 'identitiesOf' | 'unlink'>;
  sessionOf: (c: Context) => Session;
}): Hono {
  const routes = new Hono();

  routes.get('/account/identities', async (c) =>
    c.json<{ items: Identity[] }>({ items: await singleSignOn.identitiesOf(sessionOf(c).userName) }, 200, noStore),
  );

  routes.delete('/account/identities/:provider', async (c) => {
    await singleSignOn.unlink({
      session: sessionOf(c),
      provider: c.req.param('provider'),
      userAgent: userAgentOf(c),
    });
    return c.body(null, 204);
  });
  return routes;
}

/**
 * ROOM "browser": session cookie in, API key out. It knows the service as one function of a request and
 * nothing of resources or swarms; it knows sessions only through the functions that app.ts hands it.
 *
 * Mounted at `/api`, in this order: an `x-serviceapikey` that came along is dropped, a write must come from
 * a page of this site, the session says who asks. `/api/account`, `/api/events` and the views are answered in this
 * process; whatever else is asked gets the key that is held for the user, and goes to the service as the same Request.
 */
import { Hono } from 'hono';
import type { Context } from 'hono';
import { Problem, onError } from '../problem.ts';
import { accountRoutes } from './account.routes.ts';
import type { AccountOptions } from './account.routes.ts';
import { eventRoutes } from './events.routes.ts';
import type { EventOptions } from './events.routes.ts';
import type { GatewayEnv, GatewaySession } from './gateway-env.ts';
import type { HeldKeys } from './held-keys.ts';

const keyHeader = 'x-serviceapikey';

export function createGateway(
  options: AccountOptions &
    EventOptions & {
      session: (request: Request) => Promise<GatewaySession | undefined>;
      /** Throws where a write may come from another site. */
      requireSameOrigin: (request: Request) => void;
      heldKeys: HeldKeys;
      /** The spec's endpoints. Gets the request itself: a new Request with new Headers costs half the throughput. */
      service: (request: Request, env: object) => Promise<Response>;
      /** What screens ask, with paths under `/api`; they find the user by `userOf`. */
      views: Hono;
      report: (error: unknown) => void;
    },
): Hono<GatewayEnv> {
  const { session, requireSameOrigin, heldKeys, service, views, report } = options;
  const gateway = new Hono<GatewayEnv>().basePath('/api');
  gateway.onError(onError(report));

  gateway.use(async (c, next) => {
    const request = c.req.raw;
    request.headers.delete(keyHeader);
    requireSameOrigin(request);
    const found = await session(request);
    if (!found) throw new Problem('session.missing');
    c.set('session', found);
    await next();
    const { setCookie } = c.get('session');
    if (setCookie && !c.res.headers.has('set-cookie')) c.header('set-cookie', setCookie);
  });

  gateway.route('/account', accountRoutes(options));
  gateway.route('/', eventRoutes(options));
  gateway.route('/', views);

  gateway.all('*', async (c) => {
    const request = c.req.raw;
    const { userName } = c.get('session');
    const key = heldKeys.keyFor(userName);
    request.headers.set(keyHeader, typeof key === 'string' ? key : await key);
    // the service knows no cookies
    request.headers.delete('cookie');
    const answer = await service(request, c.env);
    if (answer.status !== 401) return answer;
    // the held key was taken out of the database under us: the next request mints another
    heldKeys.forget(userName);
    throw new Problem('service.away', { headers: { 'retry-after': '1' } });
  });
  return gateway;
}

/** For the views that the gateway mounts: the name of who asks. */
export async function userOf(c: Context): Promise<string> {
  return (c as Context<GatewayEnv>).get('session').userName;
}

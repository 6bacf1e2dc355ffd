/**
 * The gateway: session cookie in, API key out. It knows the service as one function of a request and nothing of resources
 * or swarms; it knows sessions only through the functions that app.ts passes.
 *
 * It is mounted at `/api`. It checks that a write comes from a page of this site, then it looks up the session.
 * `/api/account`, `/api/events` and the views are answered here. Every other request goes to the service as the same
 * Request, together with the user's held key. A key that the client sent is ignored.
 *
 * Session and held key are usually cached. Then nothing here is asynchronous.
 */
import { Hono } from 'hono';
import type { Context } from 'hono';
import { Problem, answerProblem, notRouted, onError } from '../http/problem.ts';
import type { Report } from '../http/problem.ts';
import { accountRoutes } from './account.routes.ts';
import type { AccountOptions } from './account.routes.ts';
import { eventRoutes } from './events.routes.ts';
import type { EventOptions } from './events.routes.ts';
import type { GatewayBindings, GatewayEnv, GatewaySession } from './gateway-env.ts';
import type { HeldKeys } from './held-keys.ts';

interface Gateway {
  fetch(request: Request, bindings?: GatewayBindings): Response | Promise<Response>;
  routes: readonly { method: string; path: string }[];
}

export function createGateway(
  options: AccountOptions &
    EventOptions & {
      /** A promise only where it has to be renewed. */
      session: (request: Request) => GatewaySession | undefined | Promise<GatewaySession | undefined>;
      /** Throws where a write may come from another site. */
      requireSameOrigin: (request: Request) => void;
      heldKeys: HeldKeys;
      /** The spec's endpoints. Gets the request itself: touching its headers would cost a fifth of the throughput. */
      service: (request: Request, bindings: GatewayBindings & { heldKey: string }) => Response | Promise<Response>;
      /** What screens ask, with paths under `/api`; they find the user by `userOf`. */
      views: Hono;
      report: Report;
    },
): Gateway {
  const { session, requireSameOrigin, heldKeys, service, views, report } = options;
  const routes = new Hono<GatewayEnv>().basePath('/api');
  routes.onError(onError(report));
  routes.route('/account', accountRoutes(options));
  routes.all('/account/*', (c) => {
    throw notRouted(routes, c.req.path);
  });
  routes.route('/', eventRoutes(options));
  routes.route('/', views);

  routes.all('*', (c) => {
    const { session: found, ...bindings } = c.env;
    const { userName } = found;
    const answer = andThen(heldKeys.keyFor(userName), (heldKey) => service(c.req.raw, { ...bindings, heldKey }));
    return andThen(answer, ({ status }) => {
      if (status !== 401) return answer;
      bindings.recheckAccess();
      // the held key was taken out of the database under us: the next request mints another
      heldKeys.forget(userName);
      throw new Problem('service.away', { headers: { 'retry-after': '1' } });
    });
  });

  function requireSession(request: Request) {
    if (session(request) === undefined) throw new Problem('session.missing');
  }

  return {
    routes: routes.routes,
    fetch(request, bindings = {}) {
      const refuse = (error: unknown) =>
        answerProblem({ error, requestId: bindings.requestId?.() ?? '', request, report });
      const admit = (found: GatewaySession | undefined) => {
        if (!found) throw new Problem('session.missing');
        return routes.fetch(request, { ...bindings, session: found, recheckAccess: () => requireSession(request) });
      };
      try {
        requireSameOrigin(request);
        const found = session(request);
        if (!(found instanceof Promise)) return admit(found);
        return found.then(async (known) => withCookie(await admit(known), known?.setCookie, bindings)).catch(refuse);
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

/** The cookie of a renewed session goes along, unless the answer has one of its own or its head is on its way. */
function withCookie(answer: Response, setCookie: string | undefined, { outgoing }: GatewayBindings): Response {
  if (setCookie && !outgoing?.headersSent && !answer.headers.has('set-cookie')) {
    answer.headers.append('set-cookie', setCookie);
  }
  return answer;
}

/** At once where there is nothing to wait for: a promise costs a small answer a tenth. */
function andThen<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}

/** For what the gateway mounts: the name of who asks. */
export async function userOf(c: Context): Promise<string> {
  return (c as Context<GatewayEnv>).env.session.userName;
}

/** The same where each request is counted: throws where this user has asked too often. */
export function countedUserOf(requireTurn: (userName: string) => void): (c: Context) => Promise<string> {
  return async (c) => {
    const user = await userOf(c);
    requireTurn(user);
    return user;
  };
}

/**
 * The gateway: requests with a session cookie instead of an API key, under `/api`. It checks that they come from a
 * page of this site, then looks up the session. It handles `/api/account`, `/api/events` and the screens itself. It
 * forwards all other requests unchanged to the service, with the user's API key in the bindings: a copy of the request with
 * another header would halve the throughput. A key from the client is ignored.
 *
 * Session and key are usually cached. Then the gateway is synchronous. A session may end while a body arrives:
 * `recheckAccess` looks it up again.
 */
import { Hono, type Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import { toSetUp } from '../collect.ts';
import { problemResponse, notRouted, onError } from '../http/problem-response.ts';
import { Problem, type Report } from '../problem.ts';
import { noteRoute, type AttachedSession, type EditedRecord, type RequestBindings } from '../http/request-bindings.ts';
import type { Slots } from '../limits/slots.ts';
import { requireTokens, type Rate } from '../limits/rate.ts';
import { tooMuchUnread } from '../http/unsent-bytes.ts';
import { limitsOf, operationLimits, moreRequestsOf } from '../limits/operation-limits.ts';
import type { Service } from '../../service/service.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import { accountRoutes, type AccountOptions } from './account.routes.ts';
import { deviceKeyRoutes, type DeviceKeyOptions } from './device-keys.routes.ts';
import { appEventRoutes, type EventOptions } from './events.routes.ts';
import type { GatewayEnv, GatewaySession } from './gateway-env.ts';
import type { GatewayKeys } from './gateway-keys.store.ts';

/** What a session without the second factor that this server requires can do. Its page of the app needs them. */
const ofLimited: ReadonlySet<string> = new Set(['GET /api/account', ...toSetUp]);

export function createGateway(
  options: AccountOptions &
    DeviceKeyOptions &
    EventOptions & {
      sessions: Pick<SignIn['sessions'], 'check' | 'ended'>;
      requireOwnPage: SignIn['requireOwnPage'];
      secondFactors: Pick<SignIn['secondFactors'], 'requireFirst'>;
      gatewayKeys: GatewayKeys;
      /** The spec's endpoints. Gets the original request: reading its headers would cost a fifth of the throughput. */
      service: Service['fetch'];
      /** The endpoints of the screens, with paths below `/api`. They get the user from `userOf`. */
      screens: Hono;
      /** Those with a rate of their own: their requests are not counted here. */
      uncounted: Hono;
      /** Stores what a user has changed of a resource. */
      recordEdit: (edit: { user: string; edited: EditedRecord }) => Promise<void>;
      /** The limits of each user, for the requests that are handled here. */
      rate: Rate;
      slots: Slots;
      report: Report;
    },
) {
  const { sessions, requireOwnPage, gatewayKeys, service, screens, uncounted, feed, rate, slots, report } = options;
  const { recordEdit, requireConfirmed } = options;
  const routes = new Hono<GatewayEnv>().basePath('/api');
  routes.onError(onError(report));
  routes.use(noteRoute);
  routes.route('/', uncounted);
  routes.use(async (c, next) => {
    const { session } = c.env;
    const { userName } = session;
    const bodyBytes = Number(c.req.header('content-length') ?? 0) || 0;
    requireTokens(rate, userName, 1 + moreRequestsOf(bodyBytes));
    if (c.env.outgoing?.hasRoom() === false && !isStreamed(c)) throw tooMuchUnread();
    const release = slots.take(userName);
    try {
      if (c.req.method !== 'GET') await options.secondFactors.requireFirst(session);
      await next();
    } finally {
      release();
    }
  });
  routes.route('/account', accountRoutes(options));
  routes.route('/', appEventRoutes(options));
  routes.route('/', deviceKeyRoutes(options));
  routes.route('/', screens);
  /** The first segments below `/api` that have routes here. All other requests skip this router. */
  const ownSegments = new Set(routes.routes.map(({ path }) => segmentOf(path)));
  /** The router decodes a segment: `%65vents` is `events`. */
  const isOwn = (segment = '') => segment.includes('%') || ownSegments.has(segment);
  const ownPaths = routes.routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path.replace('/api', ''));
  for (const path of new Set([...ownPaths, '/account/*'])) {
    routes.all(path, (c) => {
      throw notRouted(routes, c.req.path);
    });
  }
  routes.all('*', (c) => serve(c.req.raw, c.env));

  function serve(request: Request, { session, recheckAccess, ...bindings }: GatewayEnv['Bindings']) {
    const { userName, sessionId: id } = session;
    return andThen(gatewayKeys.keyFor(userName), ({ key: apiKey }) => {
      const attached: AttachedSession = {
        id,
        apiKey,
        recheckAccess,
        requireConfirmed: () => void requireConfirmed(session),
        onEdited: (edited) => recordEdit({ user: userName, edited }),
      };
      return service(request, { ...bindings, session: attached });
    });
  }

  async function requireLiving({ sessionId }: GatewaySession, request: Request) {
    if (await sessions.check(request)) return;
    // A confirmation has given it a new token since.
    if ((await sessions.ended([sessionId])).length > 0) throw new Problem('session.missing');
  }

  return {
    routes: routes.routes,
    fetch(request: Request, bindings: RequestBindings): Response | Promise<Response> {
      const refuse = (error: unknown) => problemResponse({ error, request, bindings, report });
      const admit = (found: GatewaySession | undefined) => {
        if (!found) {
          // Only the name of the feed: a restore has changed it.
          if (bindings.outgoing) bindings.outgoing.lastEventId = feed.oldestId();
          throw new Problem('session.missing');
        }
        if (found.isLimited && !ofLimited.has(`${request.method} ${new URL(request.url).pathname}`))
          throw new Problem('second_factor.required');
        if (bindings.outgoing) {
          bindings.outgoing.user = found.userName;
          bindings.outgoing.lastEventId = feed.newestId();
        }
        const recheckAccess = () => requireLiving(found, request);
        const env: GatewayEnv['Bindings'] = { ...bindings, session: found, recheckAccess };
        if (isOwn(segmentOf(request.url))) return routes.fetch(request, env);
        const answer = serve(request, env);
        return answer instanceof Promise ? answer.catch(refuse) : answer;
      };
      try {
        requireOwnPage(request);
        const found = sessions.check(request);
        if (!(found instanceof Promise)) return admit(found);
        return found.then(async (known) => withCookie(await admit(known), known?.setCookie, bindings)).catch(refuse);
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

/** True if a response may be a stream. Those of the operations of the service count as streams: they look at what is not read themselves. */
function isStreamed(c: Context): boolean {
  const routes = matchedRoutes(c).map(({ method, path }) => `${method} ${path}`);
  const route = routes.find((each) => each in operationLimits);
  return route === undefined || limitsOf(route).isStreamed === true;
}

/** Adds the cookie of a renewed session, unless the response has its own or its header was sent already. */
function withCookie(answer: Response, setCookie: string | undefined, { outgoing }: RequestBindings): Response {
  if (setCookie && !outgoing?.headersSent && !answer.headers.has('set-cookie')) {
    answer.headers.append('set-cookie', setCookie);
  }
  return answer;
}

/** The segment after `/api`. */
function segmentOf(url: string): string | undefined {
  return /\/api\/([^/?#]*)/.exec(url)?.[1];
}

/** Synchronous if possible, because a promise costs a tenth of a small response's time. */
function andThen<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}

/** The session, for routes that the gateway mounts. */
export const sessionOf = (c: Context): GatewaySession => (c as Context<GatewayEnv>).env.session;

/** The user name, for the same. */
export function userOf(c: Context): string {
  return sessionOf(c).userName;
}

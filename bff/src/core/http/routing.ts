/** Routes requests to the modules by path, and answers health checks, /docs and robots.txt. */
import type { IncomingMessage } from 'node:http';
import { Hono, type Context, type Next } from 'hono';
import type { ProblemCode } from '../../contract.ts';
import { limits } from '../limits/field-rules.ts';
import type { Slots } from '../limits/slots.ts';
import type { Log } from '../log.ts';
import { Problem, type Report } from '../problem.ts';
import type { CrossOrigin } from './cross-origin.ts';
import { docsPage, docsStyle } from './docs-page.ts';
import { onError, problemResponse } from './problem-response.ts';
import { paramsOf } from './query.ts';
import {
  noteRoute,
  nothingToCheck,
  type CheckedBindings,
  type NotedResponse,
  type RequestBindings,
} from './request-bindings.ts';
import { createStaticSite } from './static-site.ts';

/** `bindings`: the raw request and response of Node. */
export type AppFetch = (
  request: Request,
  bindings?: { incoming?: IncomingMessage; outgoing?: NotedResponse },
) => Response | Promise<Response>;

const openApiPath = '/service/openapi.json';
/** A URL whose path has a first segment and a rest. The `Host` may make it invalid for `URL`. */
const addressFormat = /^\w+:\/\/[^/?#]*\/([^/?#]*)([^?#]*)/;

/**
 * https://www.rfc-editor.org/rfc/rfc9309: the sign-in page may be indexed, but not paths that need a key, a session or the code of a link.
 */
const robots = 'User-agent: *\nDisallow: /api/\nDisallow: /auth/\nDisallow: /guest/\nDisallow: /service/\n';

type Answer<Bindings = RequestBindings> = (request: Request, bindings: Bindings) => Response | Promise<Response>;

export function createRouting({
  requireReady,
  isOutdated,
  openApi,
  service,
  gateway,
  signIn,
  guests,
  crossOrigin,
  isForPages,
  siteFolder,
  addressOf,
  arriving,
  newId,
  log,
  report,
}: {
  /** Throws while the database cannot be read. */
  requireReady: () => Promise<void>;
  /** A newer version uses the database: this process ends, and answers nothing any more. */
  isOutdated: () => boolean;
  openApi: () => object;
  service: Answer;
  gateway: Answer;
  signIn: Answer<CheckedBindings>;
  /** What needs only the code of a link. */
  guests: Answer<CheckedBindings>;
  /** Undefined if pages of other origins may not use the service. */
  crossOrigin: CrossOrigin | undefined;
  /** Whether they may use what is at this address of the service. */
  isForPages: (request: Request) => boolean;
  siteFolder: string | undefined;
  addressOf: (incoming: IncomingMessage) => string;
  /** Counts the bytes of bodies that have not arrived. */
  arriving: Slots;
  newId: () => string;
  log: Log;
  report: Report;
}): AppFetch {
  /** By the first segment of their paths. */
  const modules = new Map<string, Answer>([
    ['service', service],
    ['api', gateway],
    ['auth', withoutCheck(signIn)],
    ['guest', withoutCheck(guests)],
  ]);
  const routes = new Hono<{ Bindings: RequestBindings }>();
  // Built for the first reader, and as bytes: to encode a text for each response takes longer than to send it.
  const document = once(openApi);
  const openApiText = once(() => Buffer.from(JSON.stringify(document())));
  const docs = once(async () =>
    Buffer.from(String(await docsPage(document(), { isForPages: crossOrigin !== undefined }))),
  );
  routes.use(noteRoute);
  routes.get('/healthz', notPaced, (c) => c.text('alive'));
  routes.get('/readyz', notPaced, async (c) => {
    await requireReady();
    return c.text('ready');
  });
  routes.get('/robots.txt', (c) => c.text(robots));
  routes.get(openApiPath, (c) => c.body(openApiText(), 200, { 'content-type': 'application/json' }));
  routes.all(openApiPath, () => {
    throw new Problem('route.method_not_allowed', { headers: { allow: 'GET, HEAD' } });
  });
  routes.get('/docs', async (c) => c.body(await docs(), 200, { 'content-type': 'text/html; charset=utf-8' }));
  routes.get('/docs.css', (c) => c.body(docsStyle, 200, { 'content-type': 'text/css; charset=utf-8' }));
  if (siteFolder) routes.route('/', createStaticSite({ folder: siteFolder }));
  routes.notFound(() => {
    throw new Problem('route.not_found');
  });
  routes.onError(onError(report));

  return (request, { incoming, outgoing } = {}) => {
    // Created on first use.
    let id: string | undefined;
    const requestId = () => (id ??= newId());
    const clientAddress = () => (incoming ? addressOf(incoming) : 'unknown');
    const bindings: RequestBindings = { requestId, clientAddress, outgoing };
    if (outgoing) {
      outgoing.bindings = bindings;
      outgoing.arriving = arriving;
    }
    const [, name = '', rest = ''] = addressFormat.exec(request.url) ?? [];
    log.debug('request', () => ({ request_id: requestId(), method: request.method, path: `/${name}${rest}` }));
    if (crossOrigin && name === 'service' && incoming && outgoing && isForPages(request)) {
      const preflight = crossOrigin(incoming, outgoing);
      if (preflight) return preflight;
    }
    const refused = isOutdated() ? 'storage.away' : refusedBecause(request, incoming);
    if (refused) return problemResponse({ error: new Problem(refused), request, bindings, report });
    // Directly, because each module has a router of its own.
    const module = rest === '/openapi.json' ? undefined : modules.get(name);
    return module ? module(request, bindings) : routes.fetch(request, bindings);
  };
}

/** A health check that is answered late takes the process out of service. */
function notPaced({ env: { outgoing } }: Context<{ Bindings: RequestBindings }>, next: Next): Promise<void> {
  if (outgoing) outgoing.pacing = undefined;
  return next();
}

/** Wraps the answers of routes that require neither a session nor a key. */
const withoutCheck =
  (answer: Answer<CheckedBindings>): Answer =>
  (request, bindings) =>
    answer(request, { ...bindings, recheckAccess: nothingToCheck });

/** Makes the value when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Headers by which some clients tunnel DELETE through POST: ignoring them would execute the wrong operation. */
const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override'];
/** A segment `.` or `..`, which `URL` would remove, so that the request would reach another path. */
const dotSegment = /\/(\.|%2e){1,2}(?=[/?#]|$)/i;

/**
 * Why a request is rejected before it reaches a module. Reads the raw request, because `request.headers` would create a
 * Headers object for each request.
 */
function refusedBecause(request: Request, incoming: IncomingMessage | undefined): ProblemCode | undefined {
  const has = (name: string) => (incoming ? incoming.headers[name] !== undefined : request.headers.has(name));
  const target = incoming?.url ?? request.url;
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (path.length > limits.pathLength) return 'request.path_too_long';
  if (overrides.some(has)) return 'request.method_override';
  if (target.includes('_method=', query) && paramsOf({ url: target }).has('_method')) return 'request.method_override';
  if (incoming && hostsIn(incoming) > 1) return 'request.unreadable';
  return dotSegment.test(path) ? 'route.not_found' : undefined;
}

/** The number of `Host` headers. Two are an error (RFC 9112, 3.2), but Node uses the first one. */
function hostsIn({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

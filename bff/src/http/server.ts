/** The HTTP server: routes requests to the modules by path, and answers health checks, /docs and robots.txt. */
import {
  STATUS_CODES,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { RequestError, getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { limits, serverHeader } from '../limits/field-rules.ts';
import type { Log } from '../log.ts';
import { createConnections, type Connections, type ConnectionOptions } from './connections.ts';
import type { CrossOrigin } from './cross-origin.ts';
import { docsPage, docsStyle } from './docs-page.ts';
import type { ProblemCode } from '../contract.ts';
import { onError, problemParts, problemResponse, type ProblemParts } from './problem-response.ts';
import { Problem, type Report } from '../problem.ts';
import { paramsOf } from './query.ts';
import { noteRoute, type AnsweredRequest, type NotedResponse, type RequestBindings } from './request-bindings.ts';
import { beginTurn, isUnread, refuseInTurn, waitForTurn } from './request-turns.ts';
import { createStaticSite } from './static-site.ts';
import { traceIdOf } from './traceparent.ts';
import { closeSoon, isLongUnread, leaveUnread } from './unread-bodies.ts';
import { CountedResponse, createUnsentBytes, tooMuchUnread, type UnsentBytes } from './unsent-bytes.ts';

/** The open connections of each server. */
const connections = new WeakMap<Server, ReadonlySet<Socket>>();

/** A response with the headers that all responses have. Faster than `setHeaders`, which copies and checks each twice. */
class ResponseWithHeaders<Request extends IncomingMessage = IncomingMessage>
  extends CountedResponse<Request>
  implements NotedResponse
{
  common: Readonly<Record<string, string>> = {};
  operation: string | undefined;
  context: NotedResponse['context'];
  keyId: string | undefined;
  position: string | undefined;
  code: string | undefined;
  bindings: RequestBindings | undefined;
  crossOrigin: Readonly<Record<string, string>> | undefined;
  startedAt = 0;
  onAnswered: ((request: AnsweredRequest) => void) | undefined;
  makeRefusal: ((refused: ResponseWithHeaders) => ProblemParts) | undefined;
  /** The body that is sent instead of another one. */
  #refusal: string | undefined;

  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    const own = (typeof reason === 'string' ? headers : reason) as OutgoingHttpHeaders | undefined;
    if (!this.isEventStream) this.clientAddress = this.bindings?.clientAddress;
    const length = lengthOf(this, own);
    // A write that was executed must not fail. It is refused before.
    const isRefused = status === 200 && this.req.method === 'GET' && length !== undefined && !this.hasRoom(length);
    return isRefused ? this.#refuse() : this.#writeHead(status, own, length);
  }

  #refuse(): this {
    const { status, headers, body } = this.makeRefusal!(this);
    this.#refusal = body;
    const length = Buffer.byteLength(body);
    return this.#writeHead(status, { ...headers, 'content-length': length }, length);
  }

  #writeHead(status: number, own: OutgoingHttpHeaders | undefined, length: number | undefined): this {
    if (this.onAnswered) this.#answered(status, length);
    // An event stream would keep them in memory for hours.
    this.context = undefined;
    this.bindings = undefined;
    const isLeft = isLongUnread(this.req);
    if (isLeft) leaveUnread(this);
    return super.writeHead(status, {
      ...this.common,
      ...(this.position && { 'last-event-id': this.position }),
      ...own,
      ...(this.crossOrigin && withVary(this.crossOrigin, own)),
      ...(isLeft && { connection: 'close' }),
    });
  }

  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    return this.#refusal !== undefined || super.write(chunk, encoding, done);
  }

  override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
    return super.end(this.#refusal ?? chunk, encoding, done);
  }

  #answered(status: number, length: number | undefined) {
    const { req, bindings, code, user, keyId } = this;
    this.onAnswered!({
      method: req.method ?? '',
      operation: operationOf(this),
      status,
      ms: performance.now() - this.startedAt,
      bytes: length,
      code,
      user,
      keyId,
      traceId: traceIdOf(req.headers['traceparent'] as string | undefined),
      requestId: () => bindings?.requestId?.() ?? '',
      address: () => bindings?.clientAddress?.() ?? 'unknown',
    });
  }
}

/** These headers, of which `vary` also has what the response itself varies by. */
function withVary(headers: Readonly<Record<string, string>>, own: OutgoingHttpHeaders | undefined) {
  const vary = own?.['vary'];
  return vary === undefined ? headers : { ...headers, vary: `${vary}, ${headers['vary']}` };
}

/** The length of the body, if it is known: from the headers, or from what the listener has noted. */
function lengthOf(response: object, own: OutgoingHttpHeaders | undefined): number | undefined {
  const length =
    own?.['content-length'] ?? own?.['Content-Length'] ?? (response as { _contentLength?: unknown })._contentLength;
  return typeof length === 'number' ? length : undefined;
}

/** One label for all paths without a route, and for requests that were refused before they were routed. */
const otherPath = 'other';

/** Never contains a part of the path that the client has chosen. */
function operationOf({ operation, context }: NotedResponse): string {
  if (operation !== undefined) return operation;
  const path = context ? routePath(context) : '';
  return path === '' || path.endsWith('*') ? otherPath : path;
}

/** `bindings`: the raw request and response of Node. */
export type AppFetch = (
  request: Request,
  bindings?: { incoming?: IncomingMessage; outgoing?: NotedResponse },
) => Response | Promise<Response>;

interface ServedApp {
  fetch: AppFetch;
  /** The address that limits count for. */
  addressOf?: (incoming: IncomingMessage) => string;
}

const openApiPath = '/service/openapi.json';
/** A URL whose path has a first segment and a rest. The `Host` may make it invalid for `URL`. */
const addressFormat = /^\w+:\/\/[^/?#]*\/([^/?#]*)([^?#]*)/;

/**
 * https://www.rfc-editor.org/rfc/rfc9309: the sign-in page may be indexed, but not paths that need a key or a session.
 */
const robots = 'User-agent: *\nDisallow: /api/\nDisallow: /auth/\nDisallow: /service/\n';

type Answer = (request: Request, bindings: RequestBindings) => Response | Promise<Response>;

export function createRouting({
  requireReady,
  isOutdated,
  openApi,
  service,
  gateway,
  signIn,
  crossOrigin,
  isForPages,
  siteFolder,
  addressOf,
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
  signIn: Answer;
  /** Undefined if pages of other origins may not use the service. */
  crossOrigin: CrossOrigin | undefined;
  /** Whether they may use what is at this address of the service. */
  isForPages: (request: Request) => boolean;
  siteFolder: string | undefined;
  addressOf: (incoming: IncomingMessage) => string;
  newId: () => string;
  log: Log;
  report: Report;
}): AppFetch {
  /** By the first segment of their paths. */
  const modules = new Map([
    ['service', service],
    ['api', gateway],
    ['auth', signIn],
  ]);
  const routes = new Hono<{ Bindings: RequestBindings }>();
  // built for the first reader, and as bytes: to encode a text for each response takes longer than to send it
  const document = once(openApi);
  const openApiText = once(() => Buffer.from(JSON.stringify(document())));
  const docs = once(async () =>
    Buffer.from(String(await docsPage(document(), { isForPages: crossOrigin !== undefined }))),
  );
  routes.use(noteRoute);
  routes.get('/healthz', (c) => c.text('alive'));
  routes.get('/readyz', async (c) => {
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
    log.debug('request', () => ({ request_id: requestId(), method: request.method, url: request.url }));
    const clientAddress = () => (incoming ? addressOf(incoming) : 'unknown');
    const bindings: RequestBindings = { requestId, clientAddress, ...(outgoing && { outgoing }) };
    if (outgoing) outgoing.bindings = bindings;
    const [, name = '', rest] = addressFormat.exec(request.url) ?? [];
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

/**
 * Serves the app on a listening server, and responds to malformed requests like the app. Requests wait for an app that is
 * still being created.
 */
export function attach(options: {
  server: Server;
  app: ServedApp | Promise<ServedApp>;
  publicUrl: string;
  report: Report;
  newId: () => string;
  /** Called for each request when its response begins. */
  onAnswered?: ((request: AnsweredRequest) => void) | undefined;
  unsent?: UnsentBytes;
}): void {
  const { server, app, publicUrl, report, newId, onAnswered, unsent = createUnsentBytes() } = options;
  const headers = securityHeaders({ https: publicUrl.startsWith('https:') });
  const answerOf = (error: unknown) => {
    // The response and the line of the log have the same.
    const id = newId();
    return problemResponse({ error, bindings: { requestId: () => id }, report });
  };
  // An invalid host or URL.
  const errorHandler = (error: unknown) =>
    answerOf(error instanceof RequestError ? new Problem('request.unreadable') : error);
  let created = app instanceof Promise ? undefined : app;
  const fetch: AppFetch = async (request, bindings) => {
    created = await app;
    return created.fetch(request, bindings);
  };
  const listener = getRequestListener((request, bindings) => (created?.fetch ?? fetch)(request, bindings as object), {
    errorHandler,
  });

  const makeRefusal = ({ req: { method = '', url = '', headers: sent }, bindings = {} }: ResponseWithHeaders) => {
    const request = { method, url, headers: { get: (name: string) => sent[name]?.toString() ?? null } };
    return problemParts({ error: tooMuchUnread(), request, bindings, report });
  };
  const answer = (incoming: IncomingMessage, outgoing: ResponseWithHeaders) => {
    beginTurn(incoming.socket, outgoing);
    outgoing.common = headers;
    outgoing.unsent = unsent;
    outgoing.makeRefusal = makeRefusal;
    if (onAnswered) {
      outgoing.onAnswered = onAnswered;
      outgoing.startedAt = performance.now();
    }
    // HTTP/1.0 does not require it, and health checks leave it out.
    if (incoming.httpVersion === '1.0') incoming.headers.host ??= 'localhost';
    void listener(incoming, outgoing);
  };
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    const outgoing = response as ResponseWithHeaders;
    if (outgoing.socket) answer(incoming, outgoing);
    else {
      const address = created?.addressOf?.(incoming) ?? incoming.socket.remoteAddress ?? 'unknown';
      waitForTurn({ incoming, outgoing, unsent, address }, () => answer(incoming, outgoing));
    }
  };
  server.on('request', onRequest);
  // Expect headers may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const problem = new Problem(refusals[error.code ?? ''] ?? 'request.unreadable');
    refuseInTurn(socket, () => void write(socket, answerOf(problem), headers));
  });
}

/** Node's error codes for invalid requests. */
const refusals: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'request.head_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.too_slow',
};

/** Writes a response to a raw socket and closes it. */
async function write(socket: Duplex, answer: Response, headers: Readonly<Record<string, string>>) {
  const text = await answer.text();
  const more = { 'content-length': String(Buffer.byteLength(text)), connection: 'close' };
  const lines = [...Object.entries(headers), ...answer.headers, ...Object.entries(more)].map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write([`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`, ...lines, '', text].join('\r\n'));
  closeSoon(socket);
}

const unreadMs = 60_000;

/** For servers of the operator. */
const unlimited: ConnectionOptions = {
  most: { all: Number.POSITIVE_INFINITY, ofAddress: Number.POSITIVE_INFINITY },
  isTrusted: () => true,
  keyOf: () => '',
  warn: () => {},
};

/**
 * Listens on a port or a Unix socket. Rejects if it is in use. A response that its client does not read is ended after
 * `endsUnreadAfterMs` at most, and half of it at least.
 */
export function listen(
  where: { port: number; host: string } | { path: string },
  {
    endsUnreadAfterMs = unreadMs,
    counted = createConnections(unlimited),
  }: { endsUnreadAfterMs?: number; counted?: Connections } = {},
): Promise<Server> {
  // A minute is enough for 64 KiB on any connection. Longer requests are closed.
  const server = createServer({
    keepAliveTimeout: 65_000,
    requestTimeout: 60_000,
    requireHostHeader: false,
    ServerResponse: ResponseWithHeaders,
  });
  // After this time without a byte in any direction, or twice this time if a part was just sent: Node then sees that some of
  // it has left. A request that is still being answered may take longer.
  server.setTimeout(endsUnreadAfterMs / 2, (socket) => {
    if (isUnread(socket)) socket.destroy();
  });
  connections.set(server, counted.open);
  server.on('connection', counted.add);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/**
 * Stops accepting connections, waits up to three seconds for running requests, then closes them. A request on an open
 * connection gets one more response, with Connection: close.
 */
export async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.prependListener('request', (_, outgoing) => outgoing.setHeader('connection', 'close'));
  const sweeping = setInterval(() => closeIdle(server), 50);
  const timer = setTimeout(() => server.closeAllConnections(), 3000);
  await closed;
  clearInterval(sweeping);
  clearTimeout(timer);
}

function closeIdle(server: Server) {
  server.closeIdleConnections();
  // Browsers open spare connections, which Node treats as active.
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

/** Allows only what the web app needs: nothing from other origins, nothing inline. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every response, including errors and streams. */
function securityHeaders({ https }: { https: boolean }): Record<string, string> {
  return {
    [serverHeader]: '1',
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'geolocation=(self), screen-wake-lock=(self), camera=(self), microphone=(), payment=(), usb=()',
    ...(https && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** The HTTP server: serves an app, listens and stops. `routing.ts` finds who answers a request. */
import { STATUS_CODES, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { RequestError, getRequestListener } from '@hono/node-server';
// Before a listener replaces the class Response: otherwise, the return value of a stream (event-streams.ts) would be sent as a response.
import '@hono/node-server/utils/response';
import type { ProblemCode } from '../../contract.ts';
import { Problem, type Report } from '../problem.ts';
import { createConnections, type Connections, type ConnectionOptions } from './connections.ts';
import type { Pacing } from './pacing.ts';
import { problemInit, problemResponse } from './problem-response.ts';
import type { AnsweredRequest } from './request-bindings.ts';
import { beginResponse, isUnread, refuseInSlot, waitForSlot } from './pipelining.ts';
import { ResponseWithHeaders } from './response-with-headers.ts';
import type { AppFetch } from './routing.ts';
import { securityHeaders } from './security-headers.ts';
import { closeSoon } from './unread-bodies.ts';
import { createUnsentBytes, tooMuchUnread, type UnsentBytes } from './unsent-bytes.ts';

/** The open connections of each server. */
const connections = new WeakMap<Server, ReadonlySet<Socket>>();

interface ServedApp {
  fetch: AppFetch;
  /** The address that limits count for. */
  addressOf?: (incoming: IncomingMessage) => string;
  /** Default: no response is paced. */
  pacing?: Pacing;
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

  const makeRefusal = ({ req, bindings = { requestId: newId, ...unknownClient } }: ResponseWithHeaders) => {
    const { method = '', url = '', headers } = req;
    const request = { method, url, headers: { get: (name: string) => headers[name]?.toString() ?? null } };
    return problemInit({ error: tooMuchUnread(), request, bindings, report });
  };
  const answer = (incoming: IncomingMessage, outgoing: ResponseWithHeaders) => {
    beginResponse(incoming.socket, outgoing);
    outgoing.common = headers;
    outgoing.unsent = unsent;
    outgoing.makeRefusal = makeRefusal;
    outgoing.pacing = created?.pacing;
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
      waitForSlot({ incoming, outgoing, unsent, address }, () => answer(incoming, outgoing));
    }
  };
  server.on('request', onRequest);
  server.on('checkContinue', (incoming, response: ResponseWithHeaders) => {
    response.expectsContinue = true;
    onRequest(incoming, response);
  });
  // Other Expect headers may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const problem = new Problem(refusals[error.code ?? ''] ?? 'request.unreadable');
    refuseInSlot(socket, () => void write(socket, answerOf(problem), headers));
  });
}

/** The client of a request that was not routed. */
const unknownClient = { clientAddress: () => 'unknown', outgoing: undefined };

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
  most: {
    all: Number.POSITIVE_INFINITY,
    ofAddress: Number.POSITIVE_INFINITY,
    unparsedBytes: Number.POSITIVE_INFINITY,
  },
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
    // A GET emits no events of a body that it does not have: an eighth of the processor time of a small read.
    optimizeEmptyRequests: true,
    ServerResponse: ResponseWithHeaders,
  });
  // After this time without a byte in any direction, or twice this time if a part was just sent: Node then sees that some of
  // it has left. A request that is still being answered may take longer.
  server.setTimeout(endsUnreadAfterMs / 2, (socket) => {
    if (isUnread(socket)) socket.destroy();
  });
  connections.set(server, counted.sockets);
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
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, (_, outgoing: ServerResponse) => outgoing.setHeader('connection', 'close'));
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

/** The origin of a server that listens at this host. */
export function addressOf({ host }: { host: string }, { port }: AddressInfo): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  return `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

import { STATUS_CODES, createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { RequestError, getRequestListener } from '@hono/node-server';
import { Problem, answerProblem } from './problem.ts';
import type { ProblemCode, Report } from './problem.ts';
import { securityHeaders } from './security-headers.ts';

/** What is open, by server. */
const connections = new WeakMap<Server, Set<Socket>>();

/** The last answer on a connection. */
const begun = Symbol('begun');
type Connection = Duplex & { [begun]?: ServerResponse };

/** `bindings`: what the HTTP server knows of the request. */
export type AppFetch = (
  request: Request,
  bindings?: { incoming?: IncomingMessage; outgoing?: ServerResponse },
) => Response | Promise<Response>;

/** Serves the app on a server that already listens, and answers malformed requests in the same way. */
export function attach(options: {
  server: Server;
  app: { fetch: AppFetch };
  publicUrl: string;
  report: Report;
  newId: () => string;
}): void {
  const { server, app, publicUrl, report, newId } = options;
  const headers = securityHeaders({ https: publicUrl.startsWith('https:') });
  const answerOf = (error: unknown) => answerProblem({ error, requestId: newId(), report });
  // a host or an address that cannot be
  const errorHandler = (error: unknown) =>
    answerOf(error instanceof RequestError ? new Problem('request.unreadable') : error);
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings as object), { errorHandler });

  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.setHeaders(headers);
    (incoming.socket as Connection)[begun] = outgoing;
    void listener(incoming, outgoing);
  };
  server.on('request', onRequest);
  // what it expects is ours to ignore (RFC 9110, 10.1.1)
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = (socket as Connection)[begun];
    const midway = answer?.headersSent && !answer.writableFinished;
    if (!socket.writable || midway) socket.destroy();
    else void write(socket, answerOf(new Problem(refusals[error.code ?? ''] ?? 'request.unreadable')), headers);
  });
}

/** Node's names for what never becomes a request. */
const refusals: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'request.head_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.too_slow',
};
const readForMs = 1000;

/** Where there is a connection and nothing else: the last that is said on it. */
async function write(socket: Duplex, answer: Response, headers: Map<string, string>) {
  const text = await answer.text();
  const more = { 'content-length': String(Buffer.byteLength(text)), connection: 'close' };
  const lines = [...headers, ...answer.headers, ...Object.entries(more)].map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`, ...lines, '', text].join('\r\n'));
  // at once it would take the answer back from who is still sending
  setTimeout(() => socket.destroy(), readForMs).unref();
}

/** Listens on a port or a Unix socket. Rejects when that is taken. */
export function listen(where: { port: number; host: string } | { path: string }): Promise<Server> {
  // 64 KiB come through any line in a minute; what goes on and on is cut
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 60_000, requireHostHeader: false });
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/**
 * Takes no new connections and lets what runs come to its end for up to three seconds, then cuts it. Who keeps asking
 * on a connection that is open gets one more answer, which says that it was the last.
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
  // browsers open connections ahead: Node takes one that was never used for a busy one
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

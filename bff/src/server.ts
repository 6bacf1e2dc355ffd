import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { App } from './app.ts';
import { securityHeaders } from './security-headers.ts';

/** What is open, by server. */
const connections = new WeakMap<Server, Set<Socket>>();

/** Gives the app's answers on a server that listens already. */
export function attach({ server, app, publicUrl }: { server: Server; app: App; publicUrl: string }): void {
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings as object));
  const protect = securityHeaders({ https: publicUrl.startsWith('https:') });
  server.on('request', (incoming, outgoing) => {
    protect(outgoing);
    void listener(incoming, outgoing);
  });
}

/** Listens on a port or a Unix socket. Rejects when that is taken. */
export function listen(where: { port: number; host: string } | { path: string }): Promise<Server> {
  // 64 KiB come through any line in a minute; what goes on and on is cut
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 60_000 });
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

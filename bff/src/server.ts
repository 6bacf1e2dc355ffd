import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { App } from './app.ts';
import { securityHeaders } from './security-headers.ts';

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
  const server = createServer({ keepAliveTimeout: 65_000 });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** Takes no new requests, lets the running ones finish for up to three seconds, then cuts them. */
export async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), 3000);
  await closed;
  clearTimeout(timer);
}

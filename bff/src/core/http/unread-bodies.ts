/**
 * Bodies of requests that are refused before they are read. To read a long one to its end would cost the server as much as to accept
 * it, and no more than the one who sends it decides.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { bytesOfRequest } from '../limits/operation-limits.ts';

const readForMs = 1000;

/**
 * Whether more of the body is still to come than a connection is worth. A small one is read, so that its client can use the
 * connection again. A body whose length is not announced may be of any length.
 */
export function isLongUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytesOfRequest;
}

/** Reads nothing more of the request when its response has been sent, and closes the connection. The response must say so. */
export function leaveUnread(response: ServerResponse): void {
  const { socket } = response.req;
  // First, because Node's own listener reads the rest of the body to throw it away.
  response.prependOnceListener('finish', () => {
    socket.on('resume', () => socket.pause());
    socket.pause();
    closeSoon(socket);
    // Node and @hono/node-server call it after the response.
    socket.destroySoon = () => {};
  });
}

/** Closes a connection when its client has had time to read. To close it at once would reset one that is still uploading. */
export function closeSoon(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), readForMs).unref();
}

/**
 * The requests of a connection are answered one after the other: a client that sends many at once, and reads no response, makes
 * one response at most.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { performance } from 'node:perf_hooks';
import { pacedEachMs } from '../limits/operation-limits.ts';
import type { UnsentBytes } from './unsent-bytes.ts';

interface Turns {
  /** The response to the latest request whose turn has come. */
  current: ServerResponse | undefined;
  /** The number of requests that wait for the responses before theirs. */
  waiting: number;
  /** Set when requests have waited: gives the room for them back. */
  end: (() => void) | undefined;
  /** When the next paced response may be sent, in ms of the monotonic clock. */
  pacedFrom: number;
}

const turns = Symbol('turns');
const turnsOf = (socket: Duplex & { [turns]?: Turns }): Turns =>
  (socket[turns] ??= { current: undefined, waiting: 0, end: undefined, pacedFrom: 0 });

/** Notes that a request is answered now. */
export function beginTurn(socket: Duplex, response: ServerResponse): void {
  turnsOf(socket).current = response;
}

/**
 * Calls `begin` when the responses to the former requests of the connection have been sent. All requests that one read has
 * brought are parsed at once, and each needs memory while it waits. Beyond the limit of its address, the connection is closed:
 * clients send again what was not answered (RFC 9112, 9.3.2).
 */
export function waitForTurn(
  {
    incoming,
    outgoing,
    unsent,
    address,
  }: {
    incoming: IncomingMessage;
    outgoing: ServerResponse;
    unsent: UnsentBytes;
    address: string;
  },
  begin: () => void,
): void {
  const { socket } = incoming;
  if (socket.destroyed) return;
  const holder = { user: undefined, address };
  const each = unsent.most.waiting;
  if (!unsent.hasRoom(holder, each)) {
    socket.destroy();
    return;
  }
  const held = turnsOf(socket);
  const change = (requests: number) => {
    held.waiting += requests;
    unsent.change(holder, requests * each);
  };
  if (!held.end) {
    held.end = () => change(-held.waiting);
    socket.once('close', held.end);
    // Node resumes it at the end of each request.
    socket.on('resume', () => held.waiting > 0 && socket.pause());
  }
  change(1);
  socket.pause();
  // Node gives the socket to a response when the one before it has been sent.
  outgoing.once('socket', () => {
    change(-1);
    if (held.waiting === 0) socket.resume();
    begin();
  });
}

/**
 * Calls `refuse` for data that is not a request, after the responses to the complete requests before it. Closes the connection
 * if a part of the response to the faulty request has been sent.
 */
export function refuseInTurn(socket: Duplex, refuse: () => void): void {
  const { current } = turnsOf(socket);
  if (!socket.writable) socket.destroy();
  else if (!current || current.writableFinished || current.destroyed) refuse();
  else if (current.req.complete) {
    socket.pause();
    current.once('close', () => refuseInTurn(socket, refuse));
  } else if (current.headersSent) socket.destroy();
  else refuse();
}

/**
 * Calls `send`, which sends the response: at once, or later if the connection got such a response a moment ago. Who is refused will ask
 * again, on all connections, and would take the main thread from everybody otherwise.
 */
export function sendPaced(response: ServerResponse, send: () => void): void {
  const held = turnsOf(response.req.socket);
  const now = performance.now();
  const at = Math.max(now, held.pacedFrom);
  held.pacedFrom = at + pacedEachMs;
  if (at === now) return send();
  const timer = setTimeout(send, at - now);
  response.once('close', () => clearTimeout(timer));
}

/** Whether no request of the connection is being answered, or waits for it. */
export function isIdle(socket: Duplex): boolean {
  const { current, waiting } = turnsOf(socket);
  return waiting === 0 && (!current || current.writableFinished || current.destroyed);
}

/** Whether a part of a response has been sent, and the client does not read the rest. */
export function isUnread(socket: Duplex): boolean {
  return socket.writableLength > 0 && turnsOf(socket).current?.headersSent === true;
}

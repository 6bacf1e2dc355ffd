/**
 * The requests of a connection are answered one after the other: a client that sends many at once, and reads no response, makes
 * one response at most.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pacedLimits, pipelineLimits } from '../limits/operation-limits.ts';
import type { UnsentBytes } from './unsent-bytes.ts';

interface PipelineState {
  /** The response to the latest request that is being answered. */
  current: ServerResponse | undefined;
  /** The number of requests that wait for the responses before theirs. */
  pending: number;
  /** Set when requests have waited: gives the room for them back. */
  release: (() => void) | undefined;
  /** Called when a request waits for the first time. */
  onPipelined: (() => void) | undefined;
  /** Called when many requests wait. */
  onCrowded: (() => void) | undefined;
  /** When the next paced response may be sent, in ms of the monotonic clock. */
  pacedFrom: number;
  /** The latest response that has waited for it. */
  paced: ServerResponse | undefined;
}

const pipeline = Symbol('turns');
const stateOf = (socket: Duplex & { [pipeline]?: PipelineState }): PipelineState =>
  (socket[pipeline] ??= {
    current: undefined,
    pending: 0,
    release: undefined,
    onPipelined: undefined,
    onCrowded: undefined,
    pacedFrom: 0,
    paced: undefined,
  });

/** Calls `listener` when a request of the connection waits for the first time. It has to stop the parser before the next read. */
export function onPipelined(socket: Duplex, listener: () => void): void {
  stateOf(socket).onPipelined = listener;
}

/** Calls `listener` when more requests of the connection wait than a client needs, or than its address may have. */
export function onCrowded(socket: Duplex, listener: () => void): void {
  stateOf(socket).onCrowded = listener;
}

/** Notes that a request is answered now. */
export function beginResponse(socket: Duplex, response: ServerResponse): void {
  stateOf(socket).current = response;
}

/**
 * Calls `begin` when the responses to the former requests of the connection have been sent. All requests that one read has
 * brought are parsed at once, and each needs memory while it waits. Beyond the limit of its address, the connection is closed:
 * clients send again what was not answered (RFC 9112, 9.3.2).
 */
export function waitForSlot(
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
  const state = stateOf(socket);
  const hasRoom = unsent.hasRoom(holder, each);
  if (!hasRoom || state.pending === pipelineLimits.waiting) state.onCrowded?.();
  if (!hasRoom) {
    socket.destroy();
    return;
  }
  const change = (requests: number) => {
    state.pending += requests;
    unsent.change(holder, requests * each);
  };
  if (!state.release) {
    state.release = () => change(-state.pending);
    socket.once('close', state.release);
    state.onPipelined?.();
  }
  change(1);
  // Node gives the socket to a response when the one before it has been sent.
  outgoing.once('socket', () => {
    change(-1);
    begin();
  });
}

/**
 * Calls `refuse` for data that is not a request, after the responses to the complete requests before it. Closes the connection
 * if a part of the response to the faulty request has been sent.
 */
export function refuseInSlot(socket: Duplex, refuse: () => void): void {
  const { current } = stateOf(socket);
  if (!socket.writable) socket.destroy();
  else if (!current || current.writableFinished || current.destroyed) refuse();
  else if (current.req.complete) {
    socket.pause();
    current.once('close', () => refuseInSlot(socket, refuse));
  } else if (current.headersSent) socket.destroy();
  else refuse();
}

/** Whether more of the body is here than the server has read. The connection is paused, and node:http resumes it when that is read. */
export function isBodyUnread(socket: Duplex): boolean {
  const { current } = stateOf(socket);
  return isReceiving(socket) && current!.req.readableLength >= current!.req.readableHighWaterMark;
}

/** Whether the body of the request that is being answered is still arriving. */
export function isReceiving(socket: Duplex): boolean {
  const { current } = stateOf(socket);
  return current !== undefined && !current.req.complete && !current.destroyed;
}

/** The length of the body of the request that is being answered, if it was announced, otherwise 0. */
export function bodyLengthOf(socket: Duplex): number {
  return Number(stateOf(socket).current?.req.headers['content-length'] ?? 0);
}

/** Whether the next request can be answered at once. If not, calls `tryAgain` when the response before it has been sent. */
export function isFree(socket: Duplex, tryAgain: () => void): boolean {
  const { current, pending } = stateOf(socket);
  const isAnswered = !current || current.writableFinished || current.destroyed;
  if (isAnswered && pending === 0) return true;
  if (isAnswered) setImmediate(tryAgain);
  else current.once('close', tryAgain);
  return false;
}

/**
 * In ms: how long this response waits, so that its connection gets one such response in a second. Undefined if requests wait behind it:
 * they would need memory meanwhile, so it closes its connection instead.
 */
export function pacedFor(response: ServerResponse): number | undefined {
  const state = stateOf(response.req.socket);
  const now = performance.now();
  const at = Math.max(now, state.pacedFrom);
  if (at > now && state.pending > 0) return undefined;
  state.pacedFrom = at + pacedLimits.eachMs;
  return at - now;
}

/** What sends the paced responses whose time has come, in this order. */
const due = new Set<() => void>();

/** Calls `send`, which sends the response, after this time. */
export function sendLater(response: ServerResponse, ms: number, send: () => void): void {
  stateOf(response.req.socket).paced = response;
  const timer = setTimeout(() => {
    due.add(send);
    if (due.size === 1) setImmediate(sendDue);
  }, ms);
  response.once('close', () => {
    clearTimeout(timer);
    due.delete(send);
  });
}

/** Their timers end together, and each response is followed by the next request of its connection. */
function sendDue(): void {
  let sent = 0;
  for (const send of due) {
    if (sent === pacedLimits.atOnce) {
      setImmediate(sendDue);
      return;
    }
    due.delete(send);
    send();
    sent += 1;
  }
}

/** Whether no request of the connection is being answered, or waits for it. A paced response is no work: most are refusals. */
export function isIdle(socket: Duplex): boolean {
  const { current, pending, paced } = stateOf(socket);
  if (!current || current === paced) return true;
  return pending === 0 && (current.writableFinished || current.destroyed);
}

/** Whether a part of a response has been sent, and the client does not read the rest. */
export function isUnread(socket: Duplex): boolean {
  return socket.writableLength > 0 && stateOf(socket).current?.headersSent === true;
}

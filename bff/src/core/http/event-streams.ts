/**
 * Server-sent event streams (https://html.spec.whatwg.org/multipage/server-sent-events.html), independent of their
 * content: the number per user, their lifetime, keep-alive and backpressure.
 *
 * They write to the raw response, because Hono's streams cost twice as much. Without a Content-Length or chunks, the
 * end of the connection ends the response, and clients reconnect.
 */
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { Problem, type Report } from '../problem.ts';
import { credentialsCheckedEveryMs, endRevoked } from './ended-credentials.ts';
import { bindingsOf } from './request-bindings.ts';
import { Counts, SetsByKey } from '../limits/bounded-map.ts';
import { shareNextRun } from '../limits/share-next-run.ts';
import type { Release } from '../limits/slots.ts';
import { streamLimits } from '../limits/part-limits.ts';
import { quotaExceeded, type Quotas } from '../limits/quotas.ts';

const aliveEveryMs = 15_000;

const headOf = (type: string) => ({ 'content-type': type, 'cache-control': 'no-store', 'x-accel-buffering': 'no' });

export interface EventStream {
  send(lines: Uint8Array | string): void;
  /** Sends them in one write. Many streams may share their bytes: no stream has a copy of its own. */
  sendAll(chunks: readonly Uint8Array[]): void;
  /** The system has not taken what was sent. More would be buffered, and cuts the stream at some point. */
  isSlow(): boolean;
  /** Resolves when the system has taken it, or the client has gone. */
  flushed(): Promise<void>;
  /** Ends it, because its credential has ended. Its client has until the next check to read these lines. */
  revoke(lines?: string): void;
  /** Ends it, because the server has failed to send something. */
  fail(): void;
}

/** The holder by whom open streams are counted, and the most that it may have. `also`: another one, which has its own limit. */
interface Counted {
  user: string;
  most?: number;
  tooMany?: () => Problem;
  also?: Counted;
}

/** What a stream counts for: as `Counted` says, or a slot that `take` takes. `stop` ends the stream if another one takes that slot. */
type CountedOrPlaced = Counted | { take: (onEnded: () => void) => Release };

/** A credential of a stream. */
interface Proof {
  /** `link`: one that shows a device. */
  kind: 'key' | 'session' | 'link';
  id: string;
}

const proofKinds = ['key', 'session', 'link'] as const satisfies Proof['kind'][];

/** Why a stream has ended. `client`: it was closed or lost. */
const endReasons = ['client', 'revoked', 'slow', 'lifetime', 'taken_over', 'failed', 'stop'] as const;
type EndReason = (typeof endReasons)[number];

export interface StreamMeasurements {
  open: Record<Proof['kind'], number>;
  ended: Record<EndReason, number>;
}

interface Stream {
  outgoing: ServerResponse;
  endReason: EndReason;
  cursorLine: () => string;
  aliveAt: number;
  endsAt: number;
  isLines: boolean;
}

export type EventStreams = ReturnType<typeof createEventStreams>;

/** The functions by kind of credential: each returns those of the ids that are revoked or expired. */
type EndedOf = Record<Proof['kind'], (ids: string[]) => Promise<string[]>>;

interface State {
  endedOf: EndedOf;
  quotas: Quotas;
  report: Report;
  open: Set<Stream>;
  /** The same, by each of their credentials. */
  byProof: Record<Proof['kind'], SetsByKey<Stream>>;
  /** Open streams, by the kind of their first credential. */
  openCounts: StreamMeasurements['open'];
  /** Open streams, by user. */
  counts: Counts;
  endedCounts: StreamMeasurements['ended'];
  spreadCount: number;
  share: (chunks: readonly Uint8Array[]) => readonly Uint8Array[];
  ticking: NodeJS.Timeout | undefined;
  hasEnded: boolean;
  /** One at a time, also if the database takes longer than the time between two ticks. */
  checkAll: () => Promise<void>;
}

export function createEventStreams({ endedOf, quotas, report }: { endedOf: EndedOf; quotas: Quotas; report: Report }) {
  const byProof = { key: new SetsByKey<Stream>(), session: new SetsByKey<Stream>(), link: new SetsByKey<Stream>() };
  const counts = new Counts();
  const openCounts = { key: 0, session: 0, link: 0 };
  const endedCounts = Object.fromEntries(endReasons.map((reason) => [reason, 0])) as StreamMeasurements['ended'];
  const state: State = {
    endedOf,
    quotas,
    report,
    open: new Set(),
    byProof,
    openCounts,
    counts,
    endedCounts,
    spreadCount: 0,
    share: createShare(),
    ticking: undefined,
    hasEnded: false,
    checkAll: shareNextRun(() => checkCredentials(state)),
  };
  return {
    open: (c: Context, options: StreamOptions): Response => openStream(state, c, options),
    /** Counts a stream. Returns a function that ends that. @throws `events.too_many` */
    reserve: (counted: Counted): Release => reserve(state, counted),
    /** The number of open streams of this user. */
    count: (user: string) => counts.of(user),
    measure: (): StreamMeasurements => ({ open: openCounts, ended: endedCounts }),
    /** Closes all streams and opens no new ones. */
    end() {
      state.hasEnded = true;
      for (const stream of state.open) finish(stream, 'stop');
    },
  };
}

/** A fraction that spreads timers, so that a thousand streams that opened together do not write together. */
const spread = (state: State) => ((state.spreadCount++ * 0.618) % 1) - 0.5;

function tick(state: State): void {
  const at = performance.now();
  for (const stream of state.open) {
    if (at >= stream.endsAt) finish(stream, 'lifetime');
    else if (at >= stream.aliveAt) {
      stream.aliveAt = at + aliveEveryMs + spread(state) * 4000;
      write(stream, stream.isLines ? '\n' : `:\n${stream.cursorLine()}\n`);
    }
  }
  void state.checkAll();
}

async function checkCredentials(state: State): Promise<void> {
  await Promise.all(proofKinds.map((kind) => check(state, kind))).catch(state.report);
}

/** Cuts the streams whose credentials of this kind have ended. */
async function check({ byProof, endedOf }: State, kind: Proof['kind']): Promise<void> {
  const streams = byProof[kind];
  const stop = (id: string) => {
    for (const stream of streams.of(id)) cut(stream, 'revoked');
  };
  await endRevoked({ ids: [...streams.keys()], endedOf: endedOf[kind], onEnded: stop });
}

function reserve(state: State, counted: Counted): Release {
  const { counts, quotas } = state;
  const { user, most = quotas.streams, tooMany, also } = counted;
  if (counts.of(user) >= most) throw tooMany?.() ?? quotaExceeded('streams', quotas, { 'retry-after': '5' });
  const releaseOther = also && reserve(state, also);
  counts.change(user, 1);
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    counts.change(user, -1);
    releaseOther?.();
  };
}

/** Notes an open stream. Returns a function that forgets it. */
function register(state: State, stream: Stream, { release, proofs }: { release: () => void } & Proven): () => void {
  const { byProof, openCounts, endedCounts } = state;
  const [{ kind: countedKind }] = proofs;
  state.open.add(stream);
  openCounts[countedKind] += 1;
  for (const { kind, id } of proofs) byProof[kind].add(id, stream);
  state.ticking ??= setInterval(() => tick(state), credentialsCheckedEveryMs);
  return () => {
    state.open.delete(stream);
    openCounts[countedKind] -= 1;
    for (const { kind, id } of proofs) byProof[kind].remove(id, stream);
    endedCounts[stream.endReason] += 1;
    release();
    if (state.open.size > 0) return;
    clearInterval(state.ticking);
    state.ticking = undefined;
  };
}

interface Proven {
  /** The credentials of the stream: it ends within a second when one of them has ended. */
  proofs: readonly [Proof, ...Proof[]];
}

type StreamOptions = CountedOrPlaced &
  Proven & {
    headers?: Record<string, string>;
    /** The type of a stream that is not of events, and that empty lines keep alive. */
    lines?: string;
    /** Returns the lines with the client's cursor: sent after the missed events, and as keep-alive. */
    cursorLine: () => string;
    /**
     * Gets the stream, and returns `started`, which resolves when the missed events have been sent, and `stop`, which is called at the end of
     * the stream.
     */
    begin: (stream: EventStream) => { started: Promise<void>; stop: () => void };
  };

/** Responds with a stream. A HEAD request, or one without a connection, gets only the header. @throws `events.too_many` */
function openStream(state: State, c: Context, options: StreamOptions): Response {
  const { proofs, headers = {}, lines, cursorLine, begin } = options;
  const head = { ...headOf(lines ?? 'text/event-stream'), ...headers };
  const { outgoing } = bindingsOf(c);
  if (c.req.method === 'HEAD' || !outgoing) return c.body(null, 200, head);
  if (state.hasEnded) throw new Problem('service.away', { headers: { 'retry-after': '1' } });
  if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
  const release = 'take' in options ? options.take(() => finish(stream, 'taken_over')) : reserve(state, options);
  outgoing.isEventStream = true;
  outgoing.removeHeader('transfer-encoding');
  outgoing.writeHead(200, { ...head, connection: 'close' });
  const at = performance.now();
  const stream: Stream = {
    outgoing,
    endReason: 'client',
    cursorLine,
    // No cursor before the missed events: a client that is disconnected before will request them again.
    aliveAt: Number.POSITIVE_INFINITY,
    endsAt: at + streamLimits.lastsMs * (1 + spread(state) / 10),
    isLines: lines !== undefined,
  };
  const forget = register(state, stream, { release, proofs });
  // Node frees a header that is sent alone. Sent with the first line, it stayed in memory in one of fifty streams.
  outgoing.flushHeaders();
  if (lines === undefined) write(stream, `retry: ${Math.round(2000 + spread(state) * 2000)}\n\n`);
  let end: (() => void) | undefined;
  outgoing.once('close', () => {
    forget();
    end?.();
  });
  const keepAlive = () => {
    stream.aliveAt = performance.now() + aliveEveryMs + spread(state) * 4000;
    if (!stream.isLines) write(stream, `${cursorLine()}\n`);
  };
  const fail = (error: unknown) => {
    state.report(error);
    // The client reconnects and requests the missed events again.
    cut(stream, 'failed');
  };
  try {
    const begun = begin(eventStreamOf(stream, state.share));
    end = begun.stop;
    begun.started.then(keepAlive).catch(fail);
  } catch (error) {
    fail(error);
  }
  return RESPONSE_ALREADY_SENT;
}

function eventStreamOf(stream: Stream, share: State['share']): EventStream {
  const { outgoing } = stream;
  return {
    send: (text) => write(stream, text),
    sendAll(chunks) {
      outgoing.cork();
      for (const chunk of share(chunks)) write(stream, chunk);
      outgoing.uncork();
    },
    isSlow: () => outgoing.writableLength > 0,
    flushed: () => flushed(outgoing),
    revoke(lines) {
      if (lines === undefined) return cut(stream, 'revoked');
      stream.endReason = 'revoked';
      // If the client does not read them, the next check cuts it.
      if (!outgoing.destroyed) outgoing.end(lines);
    },
    fail: () => cut(stream, 'failed'),
  };
}

/**
 * Returns one chunk for those that were asked for before, because Node takes longer to write many small chunks than to copy them. What is
 * joined has at least two streams that share it: a copy for each would be held in memory for each client that does not read.
 */
function createShare(): State['share'] {
  let last: readonly Uint8Array[] = [];
  let joined: [Uint8Array] | undefined;
  return (chunks) => {
    if (chunks.length < 2) return chunks;
    if (chunks.length === last.length && chunks.every((chunk, at) => chunk === last[at]))
      return (joined ??= [Buffer.concat(chunks)]);
    last = chunks;
    joined = undefined;
    return chunks;
  };
}

/** Resolves when the system has taken what was written, or the client has gone. A client that reads needs no buffer here. */
export async function flushed(output: Writable): Promise<void> {
  if (output.writableLength === 0 || output.destroyed || output.writableEnded) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      output.off('close', done);
      resolve();
    };
    output.on('close', done);
    // `drain` is emitted only when so much is buffered that a write is told to wait.
    output.write('', done);
  });
}

function cut(stream: Stream, reason: EndReason) {
  stream.endReason = reason;
  stream.outgoing.destroy();
}

/** Ends the response without waiting for a client that does not read. */
function finish(stream: Stream, reason: EndReason) {
  stream.endReason = reason;
  const { outgoing } = stream;
  if (outgoing.writableLength > 0) outgoing.destroy();
  else outgoing.end();
}

function write(stream: Stream, lines: Uint8Array | string) {
  const { outgoing } = stream;
  if (outgoing.writableEnded || outgoing.destroyed) return;
  if (outgoing.writableLength > streamLimits.unreadBytes) cut(stream, 'slow');
  else outgoing.write(lines);
}

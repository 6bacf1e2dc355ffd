/**
 * Server-sent event streams (https://html.spec.whatwg.org/multipage/server-sent-events.html), independent of their
 * content: the number per user, their lifetime, keep-alive and backpressure.
 *
 * They write to the raw response, because Hono's streams cost twice as much. Without a Content-Length or chunks, the
 * end of the connection ends the response, and clients reconnect.
 */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { Problem, type Report } from './problem.ts';
import { bindingsOf } from './request-bindings.ts';
import { Counts } from '../limits/bounded-map.ts';
import { quotaExceeded, type Quotas } from '../limits/quotas.ts';

/** In bytes: the output that is buffered for a slow client. Node would buffer any amount. */
const backlogAtMost = 256 * 1024;
const aliveEveryMs = 15_000;
const checkedEveryMs = 800;
const checkedAtOnce = 500;
/** The client then reconnects with its credential, which renews a session. */
const lastsMs = 12 * 3600 * 1000;

const eventStreamType = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

export interface EventStream {
  send(lines: Uint8Array | string): void;
}

/** The credential of a stream, which is closed within a second when the credential is revoked. */
interface Proof {
  kind: 'key' | 'session';
  id: string;
}

/** Why a stream has ended. `client`: it was closed or lost. */
const endReasons = ['client', 'revoked', 'slow', 'lifetime', 'failed', 'stop'] as const;
type EndReason = (typeof endReasons)[number];

export interface StreamMeasurements {
  open: Record<Proof['kind'], number>;
  ended: Record<EndReason, number>;
}

interface Open {
  outgoing: ServerResponse;
  endReason: EndReason;
  mark: () => string;
  aliveAt: number;
  endsAt: number;
}

export type EventStreams = ReturnType<typeof createEventStreams>;

export function createEventStreams({
  endedOf,
  quotas,
  report,
}: {
  /** Returns the ids that are revoked or expired. */
  endedOf: Record<Proof['kind'], (ids: string[]) => Promise<string[]>>;
  quotas: Quotas;
  report: Report;
}) {
  const byProof = { key: new Map<string, Set<Open>>(), session: new Map<string, Set<Open>>() };
  /** Open streams, by user. */
  const counts = new Counts();
  const endedCounts = Object.fromEntries(endReasons.map((reason) => [reason, 0])) as StreamMeasurements['ended'];
  let openedCount = 0;
  let ticking: NodeJS.Timeout | undefined;
  let ended = false;

  /** A fraction that spreads timers, so that a thousand streams that opened together do not write together. */
  const spread = () => ((openedCount++ * 0.618) % 1) - 0.5;

  const allOpen = () => [...byProof.key.values(), ...byProof.session.values()].flatMap((streams) => [...streams]);

  function tick() {
    const at = performance.now();
    for (const stream of allOpen()) {
      if (at >= stream.endsAt) finish(stream, 'lifetime');
      else if (at >= stream.aliveAt) {
        stream.aliveAt = at + aliveEveryMs + spread() * 4000;
        write(stream, `:\n${stream.mark()}\n`);
      }
    }
    Promise.all([check('key'), check('session')]).catch(report);
  }

  async function check(kind: Proof['kind']) {
    const ids = [...byProof[kind].keys()];
    for (let from = 0; from < ids.length; from += checkedAtOnce) {
      for (const id of await endedOf[kind](ids.slice(from, from + checkedAtOnce))) {
        for (const stream of byProof[kind].get(id) ?? []) cut(stream, 'revoked');
      }
      await setImmediate();
    }
  }

  function keep(stream: Open, { user, proof }: { user: string; proof: Proof }): () => void {
    const streams = byProof[proof.kind].get(proof.id) ?? new Set();
    byProof[proof.kind].set(proof.id, streams.add(stream));
    counts.change(user, 1);
    ticking ??= setInterval(tick, checkedEveryMs);
    return () => {
      streams.delete(stream);
      endedCounts[stream.endReason] += 1;
      if (streams.size === 0) byProof[proof.kind].delete(proof.id);
      counts.change(user, -1);
      if (counts.size > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    };
  }

  return {
    /**
     * Responds with a stream. `opened` gets the stream and returns `started`, which resolves when the missed events have
     * been sent, and `end`, which is called at the end of the stream. `mark` returns the lines with the client's position:
     * sent after the missed events, and as keep-alive. A HEAD request, or one without a connection, gets only the header.
     * @throws `events.too_many`
     */
    open(
      c: Context,
      options: {
        user: string;
        proof: Proof;
        headers?: Record<string, string>;
        mark: () => string;
        opened: (stream: EventStream) => { started: Promise<void>; end: () => void };
      },
    ): Response {
      const { user, proof, headers = {}, mark, opened } = options;
      const head = { ...eventStreamType, 'x-accel-buffering': 'no', ...headers };
      const { outgoing } = bindingsOf(c);
      if (c.req.method === 'HEAD' || !outgoing) return c.body(null, 200, head);
      if (ended) throw new Problem('service.away', { headers: { 'retry-after': '1' } });
      if (counts.of(user) >= quotas.streams) throw quotaExceeded('streams', quotas, { 'retry-after': '5' });
      if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
      outgoing.removeHeader('transfer-encoding');
      outgoing.writeHead(200, { ...head, connection: 'close' });
      const at = performance.now();
      const stream: Open = {
        outgoing,
        endReason: 'client',
        mark,
        // No mark before the missed events: a client that is disconnected before will request them again.
        aliveAt: Number.POSITIVE_INFINITY,
        endsAt: at + lastsMs * (1 + spread() / 10),
      };
      const forget = keep(stream, { user, proof });
      // Sent separately, Node frees the header; together with the first line it would be kept in memory for one in
      // fifty streams.
      outgoing.flushHeaders();
      write(stream, `retry: ${Math.round(2000 + spread() * 2000)}\n\n`);
      const { started, end } = opened({ send: (lines) => write(stream, lines) });
      outgoing.once('close', () => {
        forget();
        end();
      });
      const begin = () => {
        stream.aliveAt = performance.now() + aliveEveryMs + spread() * 4000;
        write(stream, `${mark()}\n`);
      };
      started.then(begin).catch((error: unknown) => {
        report(error);
        // The client reconnects and requests the missed events again.
        cut(stream, 'failed');
      });
      return RESPONSE_ALREADY_SENT;
    },
    /** The number of open streams of this user. */
    count: (user: string) => counts.of(user),
    measure: (): StreamMeasurements => ({
      open: { key: sizeOf(byProof.key), session: sizeOf(byProof.session) },
      ended: endedCounts,
    }),
    /** Closes all streams and opens no new ones. */
    end() {
      ended = true;
      for (const stream of allOpen()) finish(stream, 'stop');
    },
  };
}

const sizeOf = (byId: Map<string, Set<Open>>) => [...byId.values()].reduce((sum, { size }) => sum + size, 0);

function cut(stream: Open, reason: EndReason) {
  stream.endReason = reason;
  stream.outgoing.destroy();
}

/** Ends the response without waiting for a client that does not read. */
function finish(stream: Open, reason: EndReason) {
  stream.endReason = reason;
  const { outgoing } = stream;
  if (outgoing.writableLength > 0) outgoing.destroy();
  else outgoing.end();
}

function write(stream: Open, lines: Uint8Array | string) {
  const { outgoing } = stream;
  if (outgoing.writableEnded || outgoing.destroyed) return;
  if (outgoing.writableLength > backlogAtMost) cut(stream, 'slow');
  else outgoing.write(lines);
}

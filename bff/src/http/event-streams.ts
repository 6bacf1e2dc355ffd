/**
 * Open answers of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), whatever
 * they tell: how many a user may have, how long one lasts, when it is alive and when it is cut. A leaf.
 *
 * Written to the raw response: Hono's streams cost twice. Without a length or chunks the end of the connection is
 * the end of the answer, which every client takes for a reason to come again.
 */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { Problem } from './problem.ts';
import type { Report } from './problem.ts';
import { quotaExceeded } from '../limits/quotas.ts';
import type { Quotas } from '../limits/quotas.ts';

/** Bytes that wait for a reader who does not read; Node alone would keep any number. */
const backlogAtMost = 256 * 1024;
const aliveEveryMs = 15_000;
const checkedEveryMs = 800;
const checkedAtOnce = 500;
/** By coming again with its proof a client shows that it is in use: a session slides by that. */
const lastsMs = 12 * 3600 * 1000;

const eventStreamType = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

export interface EventStream {
  send(lines: Uint8Array | string): void;
}

/** What opened a stream, and closes it within a second when it is gone. */
interface Proof {
  kind: 'key' | 'session';
  id: string;
}

export interface EventStreams {
  /**
   * Answers with a stream. `opened` gets it to write to; what it returns is called when the stream has ended.
   * `mark` gives the lines that say how far the reader has got: after what `opened` sent, and while nothing comes.
   * Throws `events.too_many`. A HEAD, or a request that came by no connection, gets the head alone.
   */
  open(
    c: Context,
    options: {
      user: string;
      proof: Proof;
      headers?: Record<string, string>;
      mark: () => string;
      opened: (stream: EventStream) => () => void;
    },
  ): Response;
  /** How many this user has open. */
  count(user: string): number;
  /** Ends all, and answers nobody from now on. */
  end(): void;
}

interface Open {
  outgoing: ServerResponse;
  mark: () => string;
  aliveAt: number;
  endsAt: number;
}

export function createEventStreams({
  gone,
  quotas,
  report,
}: {
  /** Which of these ids prove nothing any more. */
  gone: Record<Proof['kind'], (ids: string[]) => string[]>;
  quotas: Quotas;
  report: Report;
}): EventStreams {
  const byProof = { key: new Map<string, Set<Open>>(), session: new Map<string, Set<Open>>() };
  const counts = new Map<string, number>();
  let begun = 0;
  let ticking: NodeJS.Timeout | undefined;
  let ended = false;

  /** The same for all but a little: a thousand streams that opened together do not speak together. */
  const spread = () => ((begun++ * 0.618) % 1) - 0.5;

  const count = (user: string) => counts.get(user) ?? 0;

  const allOpen = () => [...byProof.key.values(), ...byProof.session.values()].flatMap((streams) => [...streams]);

  function tick() {
    const at = performance.now();
    for (const stream of allOpen()) {
      if (at >= stream.endsAt) finish(stream.outgoing);
      else if (at >= stream.aliveAt) {
        stream.aliveAt = at + aliveEveryMs + spread() * 4000;
        write(stream.outgoing, `:\n${stream.mark()}\n`);
      }
    }
    Promise.all([check('key'), check('session')]).catch(report);
  }

  async function check(kind: Proof['kind']) {
    const ids = [...byProof[kind].keys()];
    for (let from = 0; from < ids.length; from += checkedAtOnce) {
      for (const id of gone[kind](ids.slice(from, from + checkedAtOnce))) {
        for (const { outgoing } of byProof[kind].get(id) ?? []) outgoing.destroy();
      }
      await setImmediate();
    }
  }

  function keep(stream: Open, { user, proof }: { user: string; proof: Proof }): () => void {
    const streams = byProof[proof.kind].get(proof.id) ?? new Set();
    byProof[proof.kind].set(proof.id, streams.add(stream));
    counts.set(user, count(user) + 1);
    ticking ??= setInterval(tick, checkedEveryMs);
    return () => {
      streams.delete(stream);
      if (streams.size === 0) byProof[proof.kind].delete(proof.id);
      const left = count(user) - 1;
      if (left > 0) counts.set(user, left);
      else counts.delete(user);
      if (counts.size > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    };
  }

  return {
    open(c, { user, proof, headers = {}, mark, opened }) {
      const head = { ...eventStreamType, 'x-accel-buffering': 'no', ...headers };
      const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
      if (c.req.method === 'HEAD' || !outgoing) return c.body(null, 200, head);
      if (ended) throw new Problem('service.away', { headers: { 'retry-after': '1' } });
      if (count(user) >= quotas.streams) throw quotaExceeded('streams', quotas, { 'retry-after': '5' });
      if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
      outgoing.removeHeader('transfer-encoding');
      outgoing.writeHead(200, { ...head, connection: 'close' });
      const at = performance.now();
      const stream: Open = {
        outgoing,
        mark,
        aliveAt: at + aliveEveryMs + spread() * 4000,
        endsAt: at + lastsMs * (1 + spread() / 10),
      };
      const forget = keep(stream, { user, proof });
      // sent alone it is kept in one piece; together with the first line in fifty, as long as the stream lasts
      outgoing.flushHeaders();
      write(outgoing, `retry: ${Math.round(2000 + spread() * 2000)}\n\n`);
      const closed = opened({ send: (lines) => write(outgoing, lines) });
      // after what was missed: who is cut off before that comes again for it
      write(outgoing, `${mark()}\n`);
      outgoing.once('close', () => {
        forget();
        closed();
      });
      return RESPONSE_ALREADY_SENT;
    },
    count,
    end() {
      ended = true;
      for (const { outgoing } of allOpen()) finish(outgoing);
    },
  };
}

/** Who does not read is not waited for. */
function finish(outgoing: ServerResponse) {
  if (outgoing.writableLength > 0) outgoing.destroy();
  else outgoing.end();
}

function write(outgoing: ServerResponse, lines: Uint8Array | string) {
  if (outgoing.writableEnded || outgoing.destroyed) return;
  if (outgoing.writableLength > backlogAtMost) outgoing.destroy();
  else outgoing.write(lines);
}

import { createHash } from 'node:crypto';
import { Problem } from '../http/problem.ts';
import { BoundedMap } from '../limits/bounded-map.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import type { Requester } from '../limits/fair-queue.ts';
import type { CachedTile, TileCache } from './tile-cache.ts';
import { addressOf, keyOf } from './tile-name.ts';
import type { TileName } from './tile-name.ts';
import { UpstreamError } from './upstream.ts';
import type { Answer, Upstream } from './upstream.ts';

/** A request to the tile server, which is shared by all clients that wait for the tile. */
interface Running {
  tile: Promise<CachedTile>;
  waiting: number;
  stop: AbortController;
}

/** Returns tiles from the cache, or else from the tile server. */
export function createTileLoader(options: {
  template: string;
  cache: TileCache;
  upstream: Upstream;
  /** The number of concurrent requests to the tile server, and of requests of one user that wait for one of them to end. */
  limits: { atOnce: number; waiting: number };
  /** The seconds until this user may fetch another tile; 0 if now. */
  waitFor: (user: string) => number;
  now: () => Date;
  /** Logs a warning. */
  warn: (message: string, facts: Record<string, unknown>) => void;
}) {
  const { template, cache, upstream, limits, waitFor, now, warn } = options;
  const host = addressOf(template, { z: 0, x: 0, y: 0, retina: false }).host;
  const failures = createFailures({ now });
  const queue = createFairQueue({ atOnce: limits.atOnce, mostWaiting: limits.waiting, full: () => away(1000) });
  const running = new Map<string, Running>();
  const closed = new AbortController();

  /** Fetches a tile once for concurrent calls. It is cancelled when the signals of all of them are aborted. */
  function fetchShared(
    name: TileName,
    known: CachedTile | undefined,
    { user, signal }: Required<Requester>,
  ): Promise<CachedTile> {
    const key = keyOf(name);
    const request = running.get(key) ?? start(key, user, name, known);
    request.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        request.waiting -= 1;
        if (request.waiting === 0) {
          running.delete(key);
          request.stop.abort(signal.reason);
        }
        reject(signal.reason as Error);
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      request.tile.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      return undefined;
    });
  }

  function start(key: string, user: string, name: TileName, known: CachedTile | undefined): Running {
    const stop = new AbortController();
    const request: Running = { tile: fetchTile(name, known, { user, signal: stop.signal }), waiting: 0, stop };
    running.set(key, request);
    const forget = () => void (running.get(key) === request && running.delete(key));
    request.tile.then(forget, forget);
    return request;
  }

  async function fetchTile(
    name: TileName,
    known: CachedTile | undefined,
    requester: Required<Requester>,
  ): Promise<CachedTile> {
    const key = keyOf(name);
    const validators = known?.validators ?? {};
    try {
      const { signal } = requester;
      const fetchAnswer = () => upstream.fetch(addressOf(template, name), { known: validators, signal });
      const answer = await queue.run(requester, fetchAnswer);
      if (answer.kind === 'missing') {
        failures.missing(key);
        throw new Problem('tile.not_found');
      }
      failures.succeeded(key);
      const freshUntil = answer.lifetime && now().getTime() + answer.lifetime;
      if (answer.kind === 'unchanged' && !known) throw new UpstreamError('answers 304 without a cached tile');
      const tile = answer.kind === 'unchanged' ? { ...known!, freshUntil } : { ...tileOf(answer), freshUntil };
      if (freshUntil !== undefined) cache.put(key, tile);
      return tile;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const { message: reason, retryAfter } = error;
      if (failures.failed(key, retryAfter))
        warn('the tile server fails and is not asked for a while', { host, reason });
      throw away(failures.of(key)?.forMs, error);
    }
  }

  return {
    /**
     * A stale tile is returned immediately and revalidated in the background, because an old map is better than none.
     * @throws Problem
     */
    async get(name: TileName, { user, signal }: Required<Requester>): Promise<CachedTile> {
      const key = keyOf(name);
      const known = cache.get(key);
      if (known && (known.freshUntil ?? 0) > now().getTime()) return known;
      const failure = failures.of(key);
      if (known) {
        if (!failure && !running.has(key) && waitFor(user) === 0) {
          fetchShared(name, known, { user, signal: closed.signal }).catch(() => undefined);
        }
        return known;
      }
      if (failure) throw failure.kind === 'missing' ? new Problem('tile.not_found') : away(failure.forMs);
      const seconds = running.has(key) ? 0 : waitFor(user);
      if (seconds > 0) throw new Problem('rate.exceeded', { headers: { 'retry-after': String(seconds) } });
      const ended = AbortSignal.any([signal, closed.signal]);
      return fetchShared(name, undefined, { user, signal: ended }).catch((error: unknown) => {
        // No client is waiting for the response.
        throw ended.aborted ? away() : error;
      });
    },
    /** Aborts all running work. */
    close: () => closed.abort(),
  };
}

function tileOf({ bytes, type, validators }: Extract<Answer, { kind: 'tile' }>) {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { bytes: new Uint8Array(bytes), type, validators, etag: `"${hash}"` };
}

function away(retryAfterMs = 30_000, cause?: Error): Problem {
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
  return new Problem('tile.away', { headers, cause });
}

const second = 1000;
const minute = 60 * second;
/** A missing tile may be drawn later. */
const missingFor = 60 * minute;
const failedFor = 30 * second;
/** After this many consecutive failures, the whole server is not asked for a while. */
const inARow = 4;
const firstPause = 15 * second;
const longestPause = minute;
const longestRetryAfter = 10 * minute;
const mostRemembered = 10_000;

/** Recent failures, which prevent requests to a server that is down. */
function createFailures({ now }: { now: () => Date }) {
  const tiles = new BoundedMap<string, { kind: 'missing' | 'failed'; until: number }>(mostRemembered);
  let count = 0;
  let pausedUntil = 0;

  return {
    /** Why a tile is not requested now, and for how much longer; undefined if it may be requested. */
    of(key: string): { kind: 'missing' | 'failed'; forMs: number } | undefined {
      const at = now().getTime();
      const known = tiles.get(key);
      if (known && known.until > at) return { kind: known.kind, forMs: known.until - at };
      tiles.delete(key);
      return pausedUntil > at ? { kind: 'failed', forMs: pausedUntil - at } : undefined;
    },
    missing(key: string) {
      count = 0;
      tiles.set(key, { kind: 'missing', until: now().getTime() + missingFor });
    },
    /** Returns true if this failure starts a pause for the whole server. `retryAfter` is the server's own value. */
    failed(key: string, retryAfter: number | undefined): boolean {
      const at = now().getTime();
      tiles.set(key, { kind: 'failed', until: at + failedFor });
      count += 1;
      if (count < inARow && retryAfter === undefined) return false;
      const pause = Math.min(longestPause, firstPause * 2 ** Math.max(0, count - inARow));
      const begins = pausedUntil <= at;
      pausedUntil = Math.max(pausedUntil, at + Math.max(pause, Math.min(longestRetryAfter, retryAfter ?? 0)));
      return begins;
    },
    succeeded(key: string) {
      count = 0;
      tiles.delete(key);
    },
  };
}

import { createHash } from 'node:crypto';
import { Problem } from '../../core/problem.ts';
import { hourMs, minuteMs } from '../../core/limits/durations.ts';
import { createFairQueue, type Requester } from '../../core/limits/fair-queue.ts';
import { BoundedMap } from '../../core/limits/bounded-map.ts';
import { tilesMemory } from './limits.ts';
import { tooFast } from '../../core/limits/rate.ts';
import { keyOf, type TileName } from './tile-name.ts';
import { UpstreamError, type FetchedTile, type Upstream } from './upstream.ts';

const second = 1000;
/** A missing tile may be drawn later. */
const missingFor = hourMs;
/** An expired tile whose fetch failed is shown for so long before the next attempt. */
const failedFor = 30 * second;
/** After this many consecutive failures, of one user or of all, the next failure of a user pauses the fetches for that user. */
const inARow = 4;
/** For the user; and for all, if the source says when to try again: then the user who was told it waits until then. */
const pause = 15 * second;
const longestRetryAfter = 10 * minuteMs;

/** `content`: undefined if the source has no such tile. */
export interface CachedTile {
  content?: Pick<FetchedTile, 'type' | 'encoding'> & {
    bytes: Uint8Array<ArrayBuffer>;
    /** A hash of the bytes, with its quotation marks. */
    etag: string;
  };
  /** The time until which the tile is fresh, in ms since 1970. Undefined if it may not be cached. */
  freshUntil: number | undefined;
}

/** The bytes of a tile besides its content. */
const overhead = 500;

/** `traceparent`: passed on to the tile server, if this request is the one that fetches the tile. */
type TracedRequester = Requester & { traceparent?: string | undefined };

/** Returns tiles from the cache, or else from their source. */
export function createTileLoader(options: {
  /** The name of the source, for the log. */
  source: string;
  upstream: Upstream;
  /**
   * The number of concurrent requests to the source, and of requests of one user that wait for one of them to end;
   * the bytes of the cache.
   */
  limits: { atOnce: number; waiting: number; capacity: number };
  /** The seconds until this user may fetch another tile; 0 if now. */
  waitFor: (user: string) => number;
  now: () => Date;
  /** Logs a warning. */
  warn: (message: string, facts: Record<string, unknown>) => void;
}) {
  const { source, upstream, limits, waitFor, warn } = options;
  const now = () => options.now().getTime();
  const queue = createFairQueue({ atOnce: limits.atOnce, mostWaiting: limits.waiting, refusal: () => away(second) });
  const cache = new BoundedMap<string, CachedTile>(
    limits.capacity,
    ({ content }) => (content?.bytes.length ?? 0) + overhead,
  );
  const closed = new AbortController();
  /** By the key of the tile. Clients share a request. It goes on if all of them leave, because the tile is cached. */
  const running = new Map<string, Promise<CachedTile>>();
  /** In a row, of all users. */
  let failures = 0;
  /** The failures in a row of each user, and until when no tile is fetched for the user. */
  const failed = new BoundedMap<string, { failures: number; pausedUntil: number }>(tilesMemory.tile_failures.most);
  /** For all, because the source has said so. */
  let pausedUntil = 0;
  let warnedUntil = 0;

  const pausedMsOf = (user: string) => Math.max(pausedUntil, failed.get(user)?.pausedUntil ?? 0) - now();

  /**
   * Notes a failure, which may start a pause. One user may ask for tiles that always fail, or for more than the source gives, so other
   * users still get theirs: if the source fails for all, each asks it once.
   */
  function noteFailure(user: string, { message: reason, retryAfter }: UpstreamError) {
    failures += 1;
    const own = failed.get(user) ?? { failures: 0, pausedUntil: 0 };
    own.failures += 1;
    failed.set(user, own);
    if (Math.max(failures, own.failures) < inARow && retryAfter === undefined) return;
    if (warnedUntil <= now()) warn('the map tiles fail and are not fetched for a while', { source, reason });
    const until = now() + Math.max(pause, Math.min(longestRetryAfter, retryAfter ?? 0));
    own.pausedUntil = Math.max(own.pausedUntil, until);
    if (retryAfter !== undefined) pausedUntil = now() + pause;
    warnedUntil = Math.max(warnedUntil, until);
  }

  async function fetchTile(key: string, name: TileName, { user, traceparent }: TracedRequester): Promise<CachedTile> {
    try {
      const fetched = await upstream(name, { signal: closed.signal, traceparent });
      failures = 0;
      // A pause goes on: this tile may have been asked for before it.
      const own = failed.get(user);
      if (own) own.failures = 0;
      if (!fetched) {
        const missing = { freshUntil: now() + missingFor };
        cache.set(key, missing);
        return missing;
      }
      const { bytes, lifetime, ...rest } = fetched;
      const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
      const freshUntil = lifetime && now() + lifetime;
      const tile = { content: { ...rest, bytes: new Uint8Array(bytes), etag: `"${hash}"` }, freshUntil };
      if (freshUntil !== undefined) cache.set(key, tile);
      return tile;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      noteFailure(user, error);
      const known = cache.get(key);
      if (known) cache.set(key, { ...known, freshUntil: now() + failedFor });
      throw away(pausedMsOf(user), error);
    }
  }

  function fetchShared(key: string, name: TileName, requester: TracedRequester): Promise<CachedTile> {
    const started = running.get(key);
    if (started) return started;
    const fetched = fetchTile(key, name, requester).finally(() => running.delete(key));
    running.set(key, fetched);
    return fetched;
  }

  const isFresh = ({ freshUntil = 0 }: CachedTile) => freshUntil > now();

  /** Fetches the tile when it is the user's turn, unless another request has fetched it until then. */
  const fetchInTurn = (key: string, name: TileName, requester: TracedRequester) =>
    running.get(key) ??
    queue.run(requester, () => {
      const known = cache.get(key);
      return known && isFresh(known) ? known : fetchShared(key, name, requester);
    });

  return {
    /**
     * An expired tile is returned immediately and fetched again in the background, because an old map is better than none.
     * @throws Problem
     */
    async get(name: TileName, requester: TracedRequester): Promise<CachedTile> {
      const { user } = requester;
      const key = keyOf(name);
      const known = cache.get(key);
      // The tiles that were used least recently are evicted.
      if (known) cache.set(key, known);
      if (known && isFresh(known)) return known;
      const pausedMs = pausedMsOf(user);
      const waitSeconds = () => (running.has(key) ? 0 : waitFor(user));
      if (known?.content) {
        if (pausedMs <= 0 && waitSeconds() === 0) fetchInTurn(key, name, { user }).catch(() => {});
        return known;
      }
      if (pausedMs > 0) throw away(pausedMs);
      const seconds = waitSeconds();
      if (seconds > 0) throw tooFast(seconds);
      return fetchInTurn(key, name, requester);
    },
    measure: queue.measure,
    /** Aborts all running requests. */
    close: () => closed.abort(),
  };
}

function away(retryAfterMs: number, cause?: Error): Problem {
  const headers = { 'retry-after': String(Math.ceil((retryAfterMs > 0 ? retryAfterMs : failedFor) / 1000)) };
  return new Problem('tile.away', { headers, cause });
}

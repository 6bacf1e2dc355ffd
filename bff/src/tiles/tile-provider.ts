import { Problem } from '../http/problem.ts';
import type { UpstreamBackoff } from './upstream-backoff.ts';
import { createSharedWork } from './shared-work.ts';
import { etagOf } from './tile-cache.ts';
import type { CachedTile, TileCache } from './tile-cache.ts';
import { addressOf, keyOf } from './tile-name.ts';
import type { TileName } from './tile-name.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { UpstreamError } from './upstream.ts';
import type { Upstream } from './upstream.ts';

interface TileProvider {
  /**
   * Returns the tile from the cache, or else from the server. A stale tile is returned immediately and revalidated in
   * the background, because an old map is better than none.
   * @throws Problem
   */
  get(name: TileName, asked: { user: string; signal: AbortSignal }): Promise<CachedTile>;
  /** Aborts all running work. */
  close(): void;
}

export function createTileProvider(options: {
  template: string;
  cache: TileCache;
  upstream: Upstream;
  backoff: UpstreamBackoff;
  slots: ConcurrencyLimit;
  /** The seconds until this user may fetch another tile; 0 if now. */
  waitFor: (user: string) => number;
  now: () => Date;
  /** Logs a warning. */
  warn: (message: string, facts: Record<string, unknown>) => void;
}): TileProvider {
  const { template, cache, upstream, backoff, slots, waitFor, now, warn } = options;
  const host = addressOf(template, { z: 0, x: 0, y: 0, fine: false }).host;
  const work = createSharedWork<CachedTile>();
  const closed = new AbortController();

  async function ask(name: TileName, { known, signal }: { known: CachedTile | undefined; signal: AbortSignal }) {
    const key = keyOf(name);
    const slot = slots.take(signal);
    if (!slot) throw new Problem('tile.away', { headers: { 'retry-after': '1' } });
    const release = await slot;
    try {
      const validators = known?.validators ?? {};
      const answer = await upstream.fetch(addressOf(template, name), { known: validators, signal });
      if (answer.kind === 'missing') {
        backoff.missing(key);
        throw new Problem('tile.not_found');
      }
      backoff.succeeded(key);
      const at = now().getTime();
      const times = { verifiedAt: at, freshUntil: at + (answer.lifetime ?? 0) };
      if (answer.kind === 'unchanged') {
        if (!known) throw new UpstreamError('answers 304 without a cached tile');
        return await keep(key, { ...known, ...times });
      }
      const { type, lifetime } = answer;
      const bytes = new Uint8Array(answer.bytes);
      const tile = { bytes, type, validators: answer.validators, ...times };
      return lifetime === undefined ? { ...tile, etag: etagOf(bytes) } : await keep(key, tile);
    } catch (error) {
      if (error instanceof UpstreamError) {
        const { message: reason, retryAfter } = error;
        if (backoff.failed(key, retryAfter))
          warn('the tile server fails and is not asked for a while', { host, reason });
        throw new Problem('tile.away', { headers: retryHeader(backoff.of(key)?.forMs), cause: error });
      }
      throw error;
    } finally {
      release();
    }
  }

  /** Stores a tile. A full disk must not prevent the map, so errors are only logged. */
  async function keep(key: string, tile: Omit<CachedTile, 'etag'>): Promise<CachedTile> {
    try {
      return await cache.put(key, tile);
    } catch (error) {
      warn('a tile could not be cached', { reason: String(error) });
      return { ...tile, etag: etagOf(tile.bytes) };
    }
  }

  return {
    async get(name, { user, signal }) {
      const key = keyOf(name);
      // a request that ends while the cache is read has already revalidated the tile
      const wasRunning = work.isRunning(key);
      const known = await cache.get(key).catch(() => undefined);
      if (known && known.freshUntil > now().getTime()) return known;
      const refused = backoff.of(key);
      if (known) {
        // A tile that the server no longer has is not revalidated, so it expires.
        if (!refused && !wasRunning && !work.isRunning(key) && waitFor(user) === 0) {
          work
            .join(key, { signal: closed.signal, work: (stop) => ask(name, { known, signal: stop }) })
            .catch(() => undefined);
        }
        return known;
      }
      if (refused?.kind === 'missing') throw new Problem('tile.not_found');
      if (refused) throw new Problem('tile.away', { headers: retryHeader(refused.forMs) });
      if (!work.isRunning(key)) {
        const seconds = waitFor(user);
        if (seconds > 0) throw new Problem('rate.exceeded', { headers: { 'retry-after': String(seconds) } });
      }
      try {
        return await work.join(key, {
          signal: AbortSignal.any([signal, closed.signal]),
          work: (stop) => ask(name, { known, signal: stop }),
        });
      } catch (error) {
        // No client is waiting for the response.
        if (signal.aborted || closed.signal.aborted) throw new Problem('tile.away');
        throw error;
      }
    },
    close: () => closed.abort(),
  };
}

function retryHeader(ms = 30_000): Record<string, string> {
  return { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) };
}

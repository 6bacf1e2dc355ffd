/**
 * Map tiles of the server that TILE_URL names, for signed-in users. Browsers get them from this server, so the content
 * policy stays 'self' and no user's address leaks. Tiles are cached on disk, fetched once for concurrent requests, and
 * checked before they are passed on. It knows nothing of devices, and of users only how often they ask.
 */
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { MapTiles } from '../contract.ts';
import { Problem } from '../http/problem.ts';
import { createRate } from '../limits/rate.ts';
import { createRefusals } from './upstream-backoff.ts';
import { openTileCache } from './tile-cache.ts';
import type { KeptTile } from './tile-cache.ts';
import { createTileKeeper } from './tile-keeper.ts';
import { addressOf, hasFine, readTileName } from './tile-name.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { createUpstream } from './upstream.ts';
import type { UpstreamLimits } from './upstream.ts';

const day = 24 * 3600_000;
const MB = 1024 * 1024;

export interface TileSource {
  /** With `{z}`, `{x}`, `{y}` and perhaps `{r}`. */
  url: string;
  attribution: MapTiles['attribution'] | undefined;
  /** Where they are kept; may be deleted at any time. */
  folder: string;
  userAgent: string;
  /** For tests; otherwise as below. */
  limits?: Partial<UpstreamLimits & { capacity: number; waiting: number; burst: number }>;
}

const usual = {
  bytes: MB,
  answerMs: 8000,
  pauseMs: 5000,
  totalMs: 15_000,
  atOnce: 6,
  /** Of the folder. */
  capacity: 256 * MB,
  waiting: 200,
  /** A user has so many fetched at once, a few screens full, and a tenth of that a second. */
  burst: 600,
};
/** A tile that its server did not confirm for so long is shown no more. */
const keptMs = 90 * day;
/** What is due to be asked for again may look otherwise in a minute. */
const dueSeconds = 60;

export interface Tiles {
  /** Paths under `/api`; app.ts mounts them and answers their errors. */
  routes: Hono;
  tidy(): Promise<void>;
  close(): void;
}

/** `GET /tiles`: MapTiles, null where there are none. `GET /tiles/:z/:x/:y`, `y` with `@2x` where there are such: a picture. */
export function createTiles(options: {
  /** Undefined: the built-in map alone. */
  source: TileSource | undefined;
  publicUrl: string;
  /** Factor of RATE_LIMIT. */
  rateLimit: number;
  userOf: (c: Context) => Promise<string>;
  now: () => Date;
  warn: (message: string, facts: Record<string, unknown>) => void;
}): Tiles {
  const { source, publicUrl, rateLimit, userOf, now, warn } = options;
  const routes = new Hono();
  routes.get('/tiles', (c) =>
    c.json<MapTiles | null>(source ? describe(source) : null, 200, { 'cache-control': 'no-store' }),
  );
  if (!source) return { routes, tidy: async () => undefined, close: () => undefined };

  const { url, folder, userAgent } = source;
  const limits = { ...usual, ...source.limits };
  const { burst } = limits;
  const cache = openTileCache({ folder, source: url, capacity: limits.capacity, keptMs, now });
  const upstream = createUpstream({ referer: `${publicUrl}/`, userAgent, limits, now });
  const rate = createRate({ perSecond: (burst / 10) * rateLimit, burst: Math.max(1, burst * rateLimit), now });
  const keeper = createTileKeeper({
    template: url,
    cache,
    upstream,
    refusals: createRefusals({ now }),
    turns: createConcurrencyLimit(limits),
    waitFor: (user) => rate.take(user),
    now,
    warn,
  });

  routes.get('/tiles/:z/:x/:y', async (c) => {
    const name = readTileName(c.req.param());
    if (!name || (name.fine && !hasFine(url))) throw new Problem('tile.not_found');
    const tile = await keeper.get(name, { user: await userOf(c), signal: c.req.raw.signal });
    const headers = { etag: tile.etag, 'cache-control': cacheControlOf(tile, now()) };
    if (c.req.header('if-none-match') === tile.etag) return c.body(null, 304, headers);
    return c.body(tile.bytes, 200, { ...headers, 'content-type': tile.type, 'x-content-type-options': 'nosniff' });
  });

  return {
    routes,
    tidy: () => cache.tidy(),
    close() {
      keeper.close();
      upstream.close();
    },
  };
}

function cacheControlOf({ verifiedAt, freshUntil }: KeptTile, now: Date): string {
  // its server wants it kept nowhere
  if (freshUntil === verifiedAt) return 'no-store';
  const fresh = Math.floor((freshUntil - now.getTime()) / 1000);
  return `private, max-age=${fresh > 0 ? Math.min(fresh, day / 1000) : dueSeconds}`;
}

function describe({ url, attribution }: TileSource): MapTiles {
  const { host } = addressOf(url, { z: 0, x: 0, y: 0, fine: false });
  return { host, attribution: attribution ?? { text: host }, fine: hasFine(url) };
}

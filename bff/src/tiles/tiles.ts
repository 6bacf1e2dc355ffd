/**
 * Map tiles of the server in TILE_URL, for signed-in users. They are proxied, so that the content security policy stays
 * 'self' and no user's address is sent to the tile server. Tiles are checked, cached in memory and by the browser, and
 * fetched once for concurrent requests. The module knows nothing of devices, and of users only their request rate.
 */
import { Hono, type Context } from 'hono';
import type { MapTiles } from '../contract.ts';
import { noneMatch } from '../http/etag.ts';
import { Problem } from '../http/problem.ts';
import { validTraceparent } from '../http/traceparent.ts';
import { createRate } from '../limits/rate.ts';
import { createTileLoader, type CachedTile } from './tile-loader.ts';
import { addressOf, hasRetina, readTileName } from './tile-name.ts';
import { createUpstream } from './upstream.ts';

const MB = 1024 * 1024;

export interface TileSource {
  /** A template with `{z}`, `{x}`, `{y}` and optionally `{r}`. */
  url: string;
  attribution: MapTiles['attribution'] | undefined;
  userAgent: string;
  /** Overrides for tests. */
  limits?: Partial<typeof usual>;
}

const usual = {
  bytes: MB,
  ms: 10_000,
  atOnce: 6,
  /** The size of the cache. */
  capacity: 64 * MB,
  waiting: 200,
  /** A user's burst of fetches: a few screens. It refills at a tenth of that per second. */
  burst: 600,
};
/** An expired tile is soon replaced by a new one, so browsers cache it only for a minute. */
const expiredSeconds = 60;

export type Tiles = ReturnType<typeof createTiles>;

/**
 * `GET /tiles`: MapTiles, or null if there are none. `GET /tiles/:z/:x/:y`, optionally with `@2x`: an image. The paths are
 * under `/api`; app.ts mounts them and answers their errors.
 */
export function createTiles(options: {
  /** Undefined if only the built-in map is used. */
  source: TileSource | undefined;
  publicUrl: string;
  /** The factor of RATE_LIMIT. */
  rateLimit: number;
  userOf: (c: Context) => Promise<string>;
  now: () => Date;
  warn: (message: string, facts: Record<string, unknown>) => void;
}) {
  const { source, publicUrl, rateLimit, userOf, now, warn } = options;
  const routes = new Hono();
  routes.get('/tiles', (c) =>
    c.json<MapTiles | null>(source ? describe(source) : null, 200, { 'cache-control': 'no-store' }),
  );
  if (!source) return { routes, measure: () => undefined, close: () => undefined };

  const { url, userAgent } = source;
  const limits = { ...usual, ...source.limits };
  const { burst } = limits;
  const upstream = createUpstream({ referer: `${publicUrl}/`, userAgent, limits, now });
  const rate = createRate({ perSecond: (burst / 10) * rateLimit, burst: Math.max(1, burst * rateLimit), now });
  const loader = createTileLoader({
    template: url,
    upstream,
    limits,
    waitFor: (user) => rate.take(user),
    now,
    warn,
  });

  routes.get('/tiles/:z/:x/:y', async (c) => {
    const name = readTileName(c.req.param());
    if (!name || (name.retina && !hasRetina(url))) throw new Problem('tile.not_found');
    const traceparent = validTraceparent(c.req.header('traceparent'));
    const tile = await loader.get(name, { user: await userOf(c), signal: c.req.raw.signal, traceparent });
    if (!tile.image) throw new Problem('tile.not_found');
    const { bytes, type, etag } = tile.image;
    const headers = { etag, 'cache-control': cacheControlOf(tile, now()) };
    if (!noneMatch(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    return c.body(bytes, 200, { ...headers, 'content-type': type, 'x-content-type-options': 'nosniff' });
  });

  return { routes, measure: loader.measure, close: loader.close };
}

function cacheControlOf({ freshUntil }: CachedTile, now: Date): string {
  // The tile server forbids caching.
  if (freshUntil === undefined) return 'no-store';
  const fresh = Math.floor((freshUntil - now.getTime()) / 1000);
  return `private, max-age=${fresh > 0 ? fresh : expiredSeconds}`;
}

function describe({ url, attribution }: TileSource): MapTiles {
  const { host } = addressOf(url, { z: 0, x: 0, y: 0, retina: false });
  return { host, attribution: attribution ?? { text: host }, retina: hasRetina(url) };
}

/**
 * Map tiles of the server in TILE_URL or of the archive in MAP_FILE, for signed-in users. Those of a server are proxied, so
 * that the content security policy stays 'self' and no user's address is sent to it. Tiles are checked, cached in memory and by the browser, and
 * fetched once for concurrent requests. The module knows nothing of devices, and of users only their request rate.
 */
import { Hono, type Context } from 'hono';
import type { MapTiles } from './contract.ts';
import { noneMatch } from '../../core/http/etag.ts';
import { Problem } from '../../core/problem.ts';
import { validTraceparent } from '../../core/http/traceparent.ts';
import { queueTable } from '../../core/limits/limit-tables.ts';
import type { Rate } from '../../core/limits/rate.ts';
import { createArchiveUpstream, type MapArchive } from './archive.ts';
import { createTileLoader, type CachedTile } from './tile-loader.ts';
import { addressOf, hasRetina, readTileName } from './tile-name.ts';
import { createUpstream } from './upstream.ts';

const MB = 1024 * 1024;

/** A tile server, or a file on this computer. */
export type TileSource = {
  attribution: MapTiles['attribution'] | undefined;
  /** Overrides for tests. */
  limits?: Partial<Record<keyof typeof usual, number>>;
} & (TileServer | { archive: MapArchive });

/** `url`: a template with `{z}`, `{x}`, `{y}` and optionally `{r}`. */
interface TileServer {
  url: string;
  userAgent: string;
}

const usual = {
  bytes: MB,
  ms: 10_000,
  atOnce: 6,
  /** The size of the cache. */
  capacity: 64 * MB,
  waiting: queueTable.tiles.most,
};
/** An expired tile is soon replaced by a new one, so browsers cache it only for a minute. */
const expiredSeconds = 60;

export type Tiles = ReturnType<typeof createTiles>;

/**
 * `GET /tiles`: MapTiles, or null if there are none. `GET /tiles/:z/:x/:y`, optionally with `@2x`: an image or a vector tile.
 * The paths are under `/api`; app.ts mounts them and answers their errors.
 */
export function createTiles(options: {
  /** Undefined if only the built-in map is used. */
  source: TileSource | undefined;
  publicUrl: string;
  /** Counts the tiles of a user that are fetched from the source. */
  rate: Rate;
  userOf: (c: Context) => string;
  now: () => Date;
  warn: (message: string, facts: Record<string, unknown>) => void;
}) {
  const { source, publicUrl, rate, userOf, now, warn } = options;
  const routes = new Hono();
  routes.get('/tiles', (c) =>
    c.json<MapTiles | null>(source ? describe(source) : null, 200, { 'cache-control': 'no-store' }),
  );
  if (!source) return { routes, measure: () => undefined, close: async () => undefined };

  if ('archive' in source && source.archive.layers === 'unknown')
    warn('the map file is not drawn: its layers are not those of Protomaps, OpenMapTiles or Shortbread', {
      source: source.archive.name,
    });
  const limits = { ...usual, ...source.limits };
  const upstream =
    'archive' in source
      ? createArchiveUpstream({ archive: source.archive, warn })
      : createUpstream({ ...source, template: source.url, referer: `${publicUrl}/`, limits, now });
  const { name: sourceName, retina } = describe(source);
  const loader = createTileLoader({
    source: sourceName,
    upstream,
    limits,
    waitFor: (user) => rate.take(user),
    now,
    warn,
  });

  routes.get('/tiles/:z/:x/:y', async (c) => {
    const name = readTileName(c.req.param());
    if (!name || (name.retina && !retina)) throw new Problem('tile.not_found');
    const traceparent = validTraceparent(c.req.header('traceparent'));
    const tile = await loader.get(name, { user: userOf(c), signal: c.req.raw.signal, traceparent });
    if (!tile.content) throw new Problem('tile.not_found');
    const { bytes, type, encoding, etag } = tile.content;
    const headers = { etag, 'cache-control': cacheControlOf(tile, now()) };
    if (!noneMatch(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    const coded = encoding && { 'content-encoding': encoding };
    return c.body(bytes, 200, { ...headers, ...coded, 'content-type': type, 'x-content-type-options': 'nosniff' });
  });

  async function close() {
    loader.close();
    if (source && 'archive' in source) await source.archive.close();
  }
  return { routes, measure: loader.measure, close };
}

function cacheControlOf({ freshUntil }: CachedTile, now: Date): string {
  // The tile server forbids caching.
  if (freshUntil === undefined) return 'no-store';
  const fresh = Math.floor((freshUntil - now.getTime()) / 1000);
  return `private, max-age=${fresh > 0 ? fresh : expiredSeconds}`;
}

function describe(source: TileSource): MapTiles {
  if ('archive' in source) {
    const { name, kind, layers, covers, attribution = { text: name } } = source.archive;
    const drawn = layers && { layers };
    return { name, kind, ...drawn, covers, attribution: source.attribution ?? attribution, retina: false };
  }
  const { host: name } = addressOf(source.url, { z: 0, x: 0, y: 0, retina: false });
  const retina = hasRetina(source.url);
  return { name, kind: 'raster', attribution: source.attribution ?? { text: name }, retina };
}

/** Tiles of a PMTiles archive, a file with all tiles of a map: https://docs.protomaps.com/pmtiles/. */
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Header, PMTiles, ResolvedValueCache } from 'pmtiles';
import type { MapTiles, TileLayers } from './contract.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { tileImageKind } from './image.ts';
import { UpstreamError, type FetchedTile, type Upstream } from './upstream.ts';

/**
 * Entries of a directory of a map file, and of those that are in memory, where 30,000 take 2 MB. A map of the world has about
 * 30,000 in each.
 */
const mapFileLimits = { entriesOfDirectory: 100_000, entriesCached: 500_000 } as const;

const MB = 1024 * 1024;
/** The bytes of a tile, a directory or the metadata: as stored, and decompressed. */
const largest = MB;
const largestDecompressed = 2 * MB;
/** Browsers ask again after this time, because the operator may install another archive. */
const lifetime = dayMs;
/** By the number in the header. */
const kinds = new Map<number, MapTiles['kind']>([
  [1, 'vector'],
  [2, 'raster'],
  [3, 'raster'],
  [4, 'raster'],
]);
const uncompressed = 1;
const gzip = 2;

/** An open archive. */
export interface MapArchive {
  /** The name of its file. */
  name: string;
  kind: MapTiles['kind'];
  layers: MapTiles['layers'];
  covers: NonNullable<MapTiles['covers']>;
  /** From its metadata. */
  attribution: MapTiles['attribution'] | undefined;
  header: Header;
  tiles: PMTiles;
  close(): Promise<void>;
}

/**
 * Opens an archive and checks its header, its first directory and its size.
 * @throws Error whose message says why it cannot be used
 */
export async function openArchive(path: string): Promise<MapArchive> {
  const file = await open(path, 'r');
  try {
    return await describe(path, file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function describe(path: string, file: FileHandle): Promise<MapArchive> {
  const stat = await file.stat();
  if (!stat.isFile()) throw new Error('is not a file');
  const { PMTiles, ResolvedValueCache, readVarint } = await import('pmtiles');
  const source = { getKey: () => path, getBytes: createReader(file, stat) };
  const cache = new ResolvedValueCache(Infinity, true, async (stored, compression) => {
    const directory = await decompress(stored, compression);
    requireFewEntries(readVarint({ buf: new Uint8Array(directory), pos: 0 }), directory.byteLength);
    return directory;
  });
  cache.prune = () => dropDirectories(cache.cache);
  // The tiles stay compressed: browsers decompress them.
  const tiles = new PMTiles(source, cache, async (data) => data);
  const header = await tiles.getHeader().catch((error: unknown) => {
    const reason = (error as Error).message;
    throw new Error(`is not a PMTiles archive, or its start is damaged (${reason})`, { cause: error });
  });
  const refusal = refusalOf(header, stat.size);
  if (refusal !== undefined) throw new Error(refusal);
  const { minLon, minLat, maxLon, maxLat, jsonMetadataOffset, jsonMetadataLength, internalCompression } = header;
  const metadata = await source
    .getBytes(jsonMetadataOffset, jsonMetadataLength)
    .then(({ data }) => decompress(data, internalCompression))
    .then((data) => JSON.parse(new TextDecoder().decode(data)) as unknown)
    .catch((error: unknown) => {
      throw new Error('has damaged metadata', { cause: error });
    });
  return {
    name: basename(path),
    kind: kinds.get(header.tileType)!,
    layers: kinds.get(header.tileType) === 'vector' ? layersIn(metadata) : undefined,
    covers: {
      min_zoom: header.minZoom,
      max_zoom: header.maxZoom,
      bbox: minLon < maxLon && minLat < maxLat ? [minLon, minLat, maxLon, maxLat] : [-180, -90, 180, 90],
    },
    attribution: attributionIn(metadata),
    header,
    tiles,
    close: () => file.close(),
  };
}

/** Before they are built: in a small file, a directory of very many entries can be compressed. */
function requireFewEntries(entries: number, bytes: number) {
  const most = mapFileLimits.entriesOfDirectory;
  if (entries > most) throw new Error(`has a directory with ${entries} entries, more than ${most}`);
  // An entry has four numbers, each of at least a byte.
  if (entries * 4 > bytes) throw new Error('has a directory with fewer entries than it says');
}

/** Drops the directories that were not used for longest. */
export function dropDirectories(cache: ResolvedValueCache['cache']): void {
  const byUse = [...cache].toSorted(([, a], [, b]) => b.lastUsed - a.lastUsed);
  let entries = 0;
  for (const [key, { data }] of byUse) {
    entries += Array.isArray(data) ? data.length : 0;
    if (entries > mapFileLimits.entriesCached) cache.delete(key);
  }
}

function refusalOf(header: Header, size: number): string | undefined {
  const { specVersion, tileType, tileCompression, internalCompression } = header;
  if (specVersion !== 3) return `is version ${specVersion} of PMTiles, not 3`;
  const kind = kinds.get(tileType);
  if (!kind) return 'has other tiles than MVT, PNG, JPEG or WebP';
  if (![uncompressed, gzip].includes(internalCompression)) return 'is compressed by another method than gzip';
  // 0: unknown. Images have a compression of their own.
  const readable = kind === 'vector' ? [uncompressed, gzip] : [0, uncompressed];
  if (!readable.includes(tileCompression))
    return `has tiles with a compression that is not supported: ${tileCompression}`;
  const ends = [
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  ];
  const needed = Math.max(...ends);
  return needed > size ? `is truncated: it has ${size} of at least ${needed} bytes` : undefined;
}

/** Reads ranges of a file that does not change. Node reads files in its thread pool. */
function createReader(file: FileHandle, opened: { size: number; mtimeMs: number }) {
  return async (offset: number, length: number): Promise<{ data: ArrayBuffer }> => {
    const { size, mtimeMs } = await file.stat();
    // Its directories are cached, and would be of another file.
    if (size !== opened.size || mtimeMs !== opened.mtimeMs) throw new UpstreamError('changed: restart the server');
    // The first read is of a fixed size.
    const wanted = offset === 0 ? Math.min(length, size) : length;
    if (offset < 0 || offset + wanted > size) throw new Error('is outside the file');
    if (wanted > largest) throw new Error(`has ${wanted} bytes`);
    const bytes = new Uint8Array(wanted);
    for (let at = 0; at < wanted;) {
      const { bytesRead } = await file.read(bytes, at, wanted - at, offset + at);
      if (bytesRead === 0) throw new UpstreamError('changed: restart the server');
      at += bytesRead;
    }
    return { data: bytes.buffer };
  };
}

const gunzipped = promisify(gunzip);

/** @throws if the result would be too large */
async function decompress(data: ArrayBuffer, compression: number): Promise<ArrayBuffer> {
  if (compression !== gzip) return data;
  return new Uint8Array(await gunzipped(data, { maxOutputLength: largestDecompressed })).buffer;
}

/** The attribution of an archive is HTML: the text of it, and its last link, which is the one to the owner of the data. */
function attributionIn(metadata: unknown): MapTiles['attribution'] | undefined {
  const { attribution } = (metadata ?? {}) as { attribution?: unknown };
  if (typeof attribution !== 'string') return undefined;
  const html = attribution.slice(0, 2000);
  const text = html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&copy;', '©')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
  const url = [...html.matchAll(/href=["']?(https?:\/\/[^"'\s>]+)/g)].at(-1)?.[1];
  if (text === '') return undefined;
  return { text, ...(url !== undefined && URL.canParse(url) && { url }) };
}

/** Layers that only one schema has. */
const layersOf: Record<TileLayers, string[]> = {
  protomaps: ['earth', 'roads', 'places', 'landcover'],
  openmaptiles: ['transportation', 'transportation_name', 'waterway', 'water_name', 'place', 'building', 'boundary'],
  shortbread: ['ocean', 'water_polygons', 'water_lines', 'streets', 'street_labels', 'place_labels'],
};

/** By the names of the layers: a file may lack some that its area does not need. Undefined if the metadata do not name any. */
function layersIn(metadata: unknown): MapTiles['layers'] {
  const { vector_layers: listed } = (metadata ?? {}) as { vector_layers?: unknown };
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  const names = new Set(listed.map((layer: unknown) => (layer as { id?: unknown } | null)?.id));
  const found = (schema: TileLayers) => layersOf[schema].filter((name) => names.has(name)).length;
  const [best] = (Object.keys(layersOf) as TileLayers[]).toSorted((a, b) => found(b) - found(a));
  return best && found(best) >= 2 ? best : 'unknown';
}

/** Tiles of an archive. A damaged tile is missing, so that it does not stop the others; the first one is logged. */
export function createArchiveUpstream(options: {
  archive: MapArchive;
  warn: (message: string, facts: Record<string, unknown>) => void;
}): Upstream {
  const { archive, warn } = options;
  const tileCompression: number = archive.header.tileCompression;
  const encoding = tileCompression === gzip ? { encoding: 'gzip' as const } : {};
  let warned = false;

  async function checked(data: ArrayBuffer): Promise<FetchedTile> {
    const bytes = Buffer.from(data);
    if (archive.kind === 'vector') {
      await decompress(data, tileCompression);
      return { bytes, type: 'application/vnd.mapbox-vector-tile', lifetime, ...encoding };
    }
    const type = tileImageKind(bytes);
    if (!type) throw new Error('is no image, not all of it, or one that is too large');
    return { bytes, type, lifetime };
  }

  return async ({ z, x, y }) => {
    try {
      const found = await archive.tiles.getZxy(z, x, y);
      return found && (await checked(found.data));
    } catch (error) {
      const { message: reason, syscall } = error as NodeJS.ErrnoException;
      if (error instanceof UpstreamError) throw error;
      if (syscall !== undefined) throw new UpstreamError(reason);
      if (!warned)
        warn('a tile of the map file cannot be used', { source: archive.name, tile: `${z}/${x}/${y}`, reason });
      warned = true;
      return undefined;
    }
  };
}

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageType } from './image.ts';
import { tileKey } from './tile-name.ts';
import type { Validators } from './upstream.ts';

export interface CachedTile {
  bytes: Uint8Array<ArrayBuffer>;
  type: ImageType;
  /** A hash of the bytes, with its quotation marks. */
  etag: string;
  validators: Validators;
  /** The time of the last validation by the server, and the time until which the tile is fresh, in ms since 1970. */
  verifiedAt: number;
  freshUntil: number;
}

export type TileCache = ReturnType<typeof openTileCache>;

/** A file occupies whole blocks. */
const block = 4096;

/**
 * A cache of tiles in files: a line of JSON, then the image. Their total size stays below `capacity`. The least recently
 * used ones are evicted; after a restart, those that were validated first. Each server (`source`) has its own folder, so
 * that tiles of another one are never served.
 */
export function openTileCache(options: {
  folder: string;
  source: string;
  capacity: number;
  /** A tile that was not validated for this long is deleted. */
  keptMs: number;
  now: () => Date;
}) {
  const { capacity, keptMs, now } = options;
  const own = createHash('sha256').update(options.source).digest('hex').slice(0, 16);
  const folder = join(options.folder, own);
  /** Least recently used first. */
  const entries = new Map<string, { size: number; verifiedAt: number }>();
  let total = 0;

  async function scan() {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const others = (await readdir(options.folder)).filter((name) => name !== own);
    await Promise.all(others.map((name) => rm(join(options.folder, name), { recursive: true, force: true })));
    const found: { key: string; size: number; mtimeMs: number }[] = [];
    for (const key of await readdir(folder)) {
      // A crash interrupted a write.
      if (!tileKey.test(key)) await remove([key]);
      else found.push({ key, ...(await stat(join(folder, key))) });
    }
    for (const { key, size, mtimeMs } of found.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
      add(key, { size, verifiedAt: mtimeMs });
    }
    await remove(evict(0));
  }
  const ready = scan();
  // The callers get the error.
  ready.catch(() => undefined);

  function add(key: string, { size, verifiedAt }: { size: number; verifiedAt: number }) {
    entries.set(key, { size: blocksOf(size), verifiedAt });
    total += blocksOf(size);
  }

  function drop(key: string) {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  /** Evicts tiles until there is space, and returns their keys. */
  function evict(size: number): string[] {
    const evicted: string[] = [];
    for (const key of entries.keys()) {
      if (total + blocksOf(size) <= capacity) break;
      drop(key);
      evicted.push(key);
    }
    return evicted;
  }

  async function remove(keys: string[]) {
    for (const key of keys) await rm(join(folder, key), { force: true });
  }

  return {
    async get(key: string): Promise<CachedTile | undefined> {
      await ready;
      const entry = entries.get(key);
      if (!entry || now().getTime() - entry.verifiedAt > keptMs) return undefined;
      const tile = unpack(await readFile(join(folder, key)).catch(() => Buffer.alloc(0)));
      if (tile && entries.delete(key)) entries.set(key, entry);
      if (!tile) {
        drop(key);
        await remove([key]);
      }
      return tile;
    },

    /** Stores a tile. Rejects if the disk fails. */
    async put(key: string, tile: CachedTile): Promise<void> {
      await ready;
      const file = pack(tile);
      drop(key);
      const evicted = evict(file.length);
      add(key, { size: file.length, verifiedAt: tile.verifiedAt });
      const unfinished = join(folder, `${randomUUID()}.new`);
      try {
        await remove(evicted);
        await writeFile(unfinished, file, { mode: 0o600 });
        await rename(unfinished, join(folder, key));
      } catch (error) {
        drop(key);
        await rm(unfinished, { force: true }).catch(() => undefined);
        throw error;
      }
    },

    /** Deletes tiles that were not validated for too long. */
    async tidy(): Promise<void> {
      await ready;
      const oldest = now().getTime() - keptMs;
      const old = [...entries].filter(([, { verifiedAt }]) => verifiedAt < oldest).map(([key]) => key);
      for (const key of old) drop(key);
      await remove(old);
    },
  };
}

function blocksOf(size: number): number {
  return Math.ceil(size / block) * block;
}

export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

function pack({ bytes, ...head }: CachedTile): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...head, size: bytes.length })}\n`), bytes]);
}

/** Undefined if the file is damaged, for example after a crash. */
function unpack(file: Buffer<ArrayBuffer>): CachedTile | undefined {
  const end = file.indexOf('\n');
  try {
    const { size, ...head } = JSON.parse(file.toString('utf8', 0, end)) as Omit<CachedTile, 'bytes'> & { size: number };
    const bytes = new Uint8Array(file.buffer, file.byteOffset + end + 1, file.length - end - 1);
    return bytes.length === size && etagOf(bytes) === head.etag ? { ...head, bytes } : undefined;
  } catch {
    return undefined;
  }
}

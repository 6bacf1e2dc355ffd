import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageType } from './image.ts';
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

export interface TileCache {
  get(key: string): Promise<CachedTile | undefined>;
  /** Stores a tile. Rejects if the disk fails. */
  put(key: string, tile: Omit<CachedTile, 'etag'>): Promise<CachedTile>;
  /** Deletes tiles that were not validated for too long. */
  tidy(): Promise<void>;
}

/** A file occupies whole blocks. */
const block = 4096;
/** The resolution of the last use across a restart, in ms. */
const touchedEvery = 3600_000;

interface Entry {
  size: number;
  touchedAt: number;
  verifiedAt: number;
}

/**
 * A cache of tiles in files: a line of JSON, then the image. Their total size stays below `capacity`; the least
 * recently used ones are evicted. File times store the state: access time is the last use, modification time the last
 * validation. Each server (`source`) has its own folder, so that tiles of another one are never served.
 */
export function openTileCache(options: {
  folder: string;
  source: string;
  capacity: number;
  keptMs: number;
  now: () => Date;
}): TileCache {
  const { capacity, keptMs, now } = options;
  const own = createHash('sha256').update(options.source).digest('hex').slice(0, 16);
  const folder = join(options.folder, own);
  /** Least recently used first. */
  const entries = new Map<string, Entry>();
  let total = 0;

  async function scan() {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const others = (await readdir(options.folder)).filter((name) => name !== own);
    await Promise.all(others.map((name) => rm(join(options.folder, name), { recursive: true, force: true })));
    const found: { key: string; usedAt: number; entry: Entry }[] = [];
    for (const key of await readdir(folder)) {
      // A crash interrupted this write.
      if (key.endsWith('.new')) await unlink(join(folder, key));
      else {
        const { size, atimeMs, mtimeMs } = await stat(join(folder, key));
        found.push({ key, usedAt: atimeMs, entry: { size: blocksOf(size), touchedAt: atimeMs, verifiedAt: mtimeMs } });
      }
    }
    for (const { key, entry } of found.sort((one, other) => one.usedAt - other.usedAt)) {
      entries.set(key, entry);
      total += entry.size;
    }
    await remove(takeOut(0));
  }
  const ready = scan();
  // The callers get the error.
  ready.catch(() => undefined);

  function drop(key: string) {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  /** Evicts tiles until there is space, and returns their keys. */
  function takeOut(size: number): string[] {
    const out: string[] = [];
    for (const key of entries.keys()) {
      if (total + size <= capacity) break;
      drop(key);
      out.push(key);
    }
    return out;
  }

  async function remove(keys: string[]) {
    for (const key of keys) await rm(join(folder, key), { force: true });
  }

  function touch(key: string, entry: Entry) {
    entries.delete(key);
    entries.set(key, entry);
    const at = now().getTime();
    if (at - entry.touchedAt < touchedEvery) return;
    entry.touchedAt = at;
    utimes(join(folder, key), at / 1000, entry.verifiedAt / 1000).catch(() => undefined);
  }

  return {
    async get(key) {
      await ready;
      const entry = entries.get(key);
      if (!entry || now().getTime() - entry.verifiedAt > keptMs) return undefined;
      const tile = unpack(await readFile(join(folder, key)).catch(() => Buffer.alloc(0)));
      if (tile) touch(key, entry);
      else {
        drop(key);
        await remove([key]);
      }
      return tile;
    },

    async put(key, put) {
      await ready;
      const tile = { ...put, etag: etagOf(put.bytes) };
      const file = pack(tile);
      const size = blocksOf(file.length);
      drop(key);
      const out = takeOut(size);
      const at = now().getTime();
      entries.set(key, { size, touchedAt: at, verifiedAt: tile.verifiedAt });
      total += size;
      const path = join(folder, key);
      const unfinished = join(folder, `${randomUUID()}.new`);
      try {
        await remove(out);
        await writeFile(unfinished, file, { mode: 0o600 });
        await utimes(unfinished, at / 1000, tile.verifiedAt / 1000);
        await rename(unfinished, path);
      } catch (error) {
        drop(key);
        await rm(unfinished, { force: true }).catch(() => undefined);
        throw error;
      }
      return tile;
    },

    async tidy() {
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

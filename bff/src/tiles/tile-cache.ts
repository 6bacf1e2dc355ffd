import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageType } from './image-kind.ts';
import type { Validators } from './upstream.ts';

export interface KeptTile {
  bytes: Uint8Array<ArrayBuffer>;
  type: ImageType;
  /** Ours, of the bytes, with its quotation marks. */
  etag: string;
  validators: Validators;
  /** When the server last said that it is so, and until when that is believed: ms since 1970. */
  verifiedAt: number;
  freshUntil: number;
}

export interface TileCache {
  get(key: string): Promise<KeptTile | undefined>;
  /** Rejects where the disk does not take it. */
  put(key: string, tile: Omit<KeptTile, 'etag'>): Promise<KeptTile>;
  /** Lets go of what was not verified for too long. */
  tidy(): Promise<void>;
}

/** A file occupies whole blocks. */
const block = 4096;
/** How exact the time of a tile's last use is across a restart. */
const touchedEvery = 3600_000;

interface Entry {
  size: number;
  touchedAt: number;
  verifiedAt: number;
}

/**
 * Tiles as files, one each: a line of JSON, then the picture. Their total stays below `capacity`; those that were not
 * used for the longest go first. Times of files are its memory: access time is last use, modification time last
 * verification. A folder of its own for each server (`source`): what another one drew is never shown.
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
  /** The longest unused first. */
  const entries = new Map<string, Entry>();
  let total = 0;

  async function scan() {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const others = (await readdir(options.folder)).filter((name) => name !== own);
    await Promise.all(others.map((name) => rm(join(options.folder, name), { recursive: true, force: true })));
    const found: { key: string; usedAt: number; entry: Entry }[] = [];
    for (const key of await readdir(folder)) {
      // left behind by an end in the middle of a write
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
  // whoever asks gets the error
  ready.catch(() => undefined);

  function drop(key: string) {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  /** The keys of those that make room. */
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

function pack({ bytes, ...head }: KeptTile): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...head, size: bytes.length })}\n`), bytes]);
}

/** Undefined where a crash of the machine left something else. */
function unpack(file: Buffer<ArrayBuffer>): KeptTile | undefined {
  const end = file.indexOf('\n');
  try {
    const { size, ...head } = JSON.parse(file.toString('utf8', 0, end)) as Omit<KeptTile, 'bytes'> & { size: number };
    const bytes = new Uint8Array(file.buffer, file.byteOffset + end + 1, file.length - end - 1);
    return bytes.length === size && etagOf(bytes) === head.etag ? { ...head, bytes } : undefined;
  } catch {
    return undefined;
  }
}

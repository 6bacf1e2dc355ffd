import type { ImageType } from './image.ts';

/** `image`: undefined if the tile server has no such tile. */
export interface CachedTile {
  image?: {
    bytes: Uint8Array<ArrayBuffer>;
    type: ImageType;
    /** A hash of the bytes, with its quotation marks. */
    etag: string;
  };
  /** The time until which the tile is fresh, in ms since 1970. Undefined if it may not be cached. */
  freshUntil: number | undefined;
}

export type TileCache = ReturnType<typeof createTileCache>;

/** The bytes of a tile besides its image. */
const overhead = 500;
const sizeOf = ({ image }: CachedTile) => (image?.bytes.length ?? 0) + overhead;

/** Tiles in memory, of at most `capacity` bytes. The least recently used ones are evicted. */
export function createTileCache(capacity: number) {
  /** Least recently used first. */
  const tiles = new Map<string, CachedTile>();
  let total = 0;

  function drop(key: string): CachedTile | undefined {
    const tile = tiles.get(key);
    if (tile) total -= sizeOf(tile);
    tiles.delete(key);
    return tile;
  }

  function put(key: string, tile: CachedTile) {
    drop(key);
    tiles.set(key, tile);
    total += sizeOf(tile);
    for (const oldest of tiles.keys()) {
      if (total <= capacity) break;
      drop(oldest);
    }
  }

  return {
    get(key: string): CachedTile | undefined {
      const tile = drop(key);
      if (tile) put(key, tile);
      return tile;
    },
    put,
  };
}

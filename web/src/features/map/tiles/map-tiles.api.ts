import { loadBytes } from '../../../data/client.ts';
import { ProblemError } from '../../../data/problem.ts';

export interface TileRequest {
  z: number;
  x: number;
  y: number;
  retina: boolean;
  /** Screen pixels for each px of the tile. */
  ratio: number;
}

/** Returns the picture of a tile, or null if the server has none. */
export type LoadTile = (request: TileRequest, signal: AbortSignal) => Promise<ImageBitmap | null>;

export const loadImage: LoadTile = async ({ z, x, y, retina }, signal) => {
  try {
    const bytes = await loadBytes(`/api/tiles/${z}/${x}/${y}${retina ? '@2x' : ''}`, signal);
    return await createImageBitmap(new Blob([bytes]));
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'tile.not_found') return null;
    throw error;
  }
};

interface LimitLoadsOptions<Item, Result> {
  atOnce: number;
  load: (item: Item, signal: AbortSignal) => Promise<Result>;
}

/**
 * A function that loads a limited number of items at a time, in order. Browsers open six connections per host, and a
 * slow tile server must not occupy those that the page itself needs.
 */
export function limitLoads<Item, Result>({
  atOnce,
  load,
}: LimitLoadsOptions<Item, Result>): (item: Item, signal: AbortSignal) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (item, signal) => {
    if (running < atOnce) running += 1;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      signal.throwIfAborted();
      return await load(item, signal);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

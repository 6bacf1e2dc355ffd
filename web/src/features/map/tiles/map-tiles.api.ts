import { loadBytes } from '../../../api/client.ts';

export interface TileRequest {
  z: number;
  x: number;
  y: number;
  retina: boolean;
  /** The scale at which it is shown: 1 at whole zooms. */
  scale: number;
}

/** Loads the image of a tile. Rejects with the ProblemError `tile.not_found` if there is none. */
export async function loadImage({ z, x, y, retina }: TileRequest, signal: AbortSignal): Promise<ImageBitmap> {
  const bytes = await loadBytes(`/api/tiles/${z}/${x}/${y}${retina ? '@2x' : ''}`, signal);
  return createImageBitmap(new Blob([bytes]));
}

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

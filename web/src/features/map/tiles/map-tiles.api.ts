import type { MapTiles } from '@swarmdeck/bff/contract';
import { useQuery } from '@tanstack/react-query';
import { loadBytes, send } from '../../../api/client.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** The tiles that the server offers over the built-in map: null for none, undefined while it loads. */
export function useMapTiles(): MapTiles | null | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.tiles,
    queryFn: async ({ signal }) => (await send<MapTiles | null>({ path: '/api/tiles', signal })).data,
    // A setting of the server, which is read once per page load.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

export interface TileRequest {
  z: number;
  x: number;
  y: number;
  fine: boolean;
}

/** Loads the image of a tile. Rejects with the ProblemError `tile.not_found` if there is none. */
export async function loadTile({ z, x, y, fine }: TileRequest, signal: AbortSignal): Promise<ImageBitmap> {
  const bytes = await loadBytes(`/api/tiles/${z}/${x}/${y}${fine ? '@2x' : ''}`, signal);
  return createImageBitmap(new Blob([bytes]));
}

/**
 * Loads a limited number of items at a time, in order. Browsers open six connections per host, and a slow tile server
 * must not occupy those that the page itself needs.
 */
interface Loads<K, V> {
  /** Calls either `onLoad` or `onError` once, unless the returned function stops it before. */
  start(request: { what: K; onLoad: (value: V) => void; onError: (error: unknown) => void }): () => void;
}

export function createLoads<K, V>({
  atOnce,
  load,
}: {
  atOnce: number;
  load: (what: K, signal: AbortSignal) => Promise<V>;
}): Loads<K, V> {
  const line = new Set<() => Promise<void>>();
  let running = 0;

  function next() {
    const [first] = line;
    if (running >= atOnce || first === undefined) return;
    line.delete(first);
    running += 1;
    void first().finally(() => {
      running -= 1;
      next();
    });
    next();
  }

  return {
    start({ what, onLoad, onError }) {
      const stop = new AbortController();
      const run = async () => {
        try {
          const value = await load(what, stop.signal);
          if (!stop.signal.aborted) onLoad(value);
        } catch (error) {
          if (!stop.signal.aborted) onError(error);
        }
      };
      line.add(run);
      next();
      return () => {
        line.delete(run);
        stop.abort();
      };
    },
  };
}

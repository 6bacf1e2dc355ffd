import type { MapTiles as Source } from '@swarmdeck/bff/contract';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../../data/client.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { streetWorker } from '../streets/street-worker.ts';

export const MapTiles = lazyPart(async () => (await import('./map-tiles.tsx')).MapTiles);

/** The tiles that the server offers over the built-in map: null for none, undefined while it loads. */
export function useMapTiles(): Source | null | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.tiles,
    async queryFn({ signal }) {
      const tiles = await read('/api/tiles', {}, { signal });
      if (tiles?.kind === 'vector') streetWorker.start();
      // Known with the code that shows them: a transition would wait while the built-in map is painted.
      if (tiles) await MapTiles.preload();
      return tiles;
    },
    // A setting of the server, which is read once per page load.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

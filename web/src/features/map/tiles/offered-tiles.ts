import type { MapTiles } from '@swarmdeck/bff/contract';
import { useQuery } from '@tanstack/react-query';
import { send } from '../../../api/client.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { lazyPart } from '../../../ui/lazy.tsx';

/** Draws vector tiles. */
export const Streets = lazyPart(async () => (await import('../streets/streets.tsx')).Streets);

/** The tiles that the server offers over the built-in map: null for none, undefined while it loads. */
export function useMapTiles({ enabled }: { enabled: boolean }): MapTiles | null | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.tiles,
    async queryFn({ signal }) {
      const { data: tiles } = await send<MapTiles | null>({ path: '/api/tiles', signal });
      if (tiles?.kind === 'vector') Streets.preload();
      return tiles;
    },
    enabled,
    // A setting of the server, which is read once per page load.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

import type { MapTiles } from '@swarmdeck/bff/contract';
import { useQuery } from '@tanstack/react-query';
import { loadBytes, send } from '../../../api/client.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** Which tiles there are to draw over the built-in map: null for none, undefined until that is known. */
export function useMapTiles(): MapTiles | null | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.tiles,
    queryFn: async ({ signal }) => (await send<MapTiles | null>({ path: '/api/tiles', signal })).data,
    // a setting of the server: it is asked again when the page is
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

export interface TileAsked {
  z: number;
  x: number;
  y: number;
  fine: boolean;
}

/** The picture of a tile. Rejects with a ProblemError `tile.not_found` where there is none. */
export async function loadTile({ z, x, y, fine }: TileAsked, signal: AbortSignal): Promise<ImageBitmap> {
  const bytes = await loadBytes(`/api/tiles/${z}/${x}/${y}${fine ? '@2x' : ''}`, signal);
  return createImageBitmap(new Blob([bytes]));
}

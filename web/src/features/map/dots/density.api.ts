import type { DeviceFilters } from '@swarmdeck/bff/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { loadBytes } from '../../../api/client.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { filterQuery } from '../map.api.ts';
import type { Picture } from './dots.picture.ts';

/** The number of devices per cell. */
export interface Density {
  picture: Picture;
  counts: Uint8Array;
}

const AGAIN = 500;

/**
 * The densities for the cells of a picture. The previous ones stay until the next response. Null while the server
 * builds its index.
 */
export function useDensity({ filters, picture }: { filters: DeviceFilters; picture: Picture | null }): Density | null {
  const query = useQuery({
    // Below the key of the symbols, so that both become outdated together.
    queryKey: queryKeys.map.density(filters, picture),
    queryFn: async ({ signal }): Promise<Density | null> => {
      const { bbox, width, height } = picture!;
      const query = filterQuery(filters);
      query.set('bbox', bbox.join(','));
      query.set('width', String(width));
      query.set('height', String(height));
      const counts = new Uint8Array(await loadBytes(`/api/map/density?${query}`, signal));
      return counts.length === width * height ? { picture: picture!, counts } : null;
    },
    enabled: picture !== null,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data === null ? AGAIN : false),
    gcTime: 0,
  });
  return query.data ?? null;
}

import type { DeviceFilters } from '@swarmdeck/bff/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { loadBytes } from '../../../api/client.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { filterQuery } from '../map.api.ts';
import type { Picture } from './dots.picture.ts';

/** Where devices are, cell by cell. */
export interface Density {
  picture: Picture;
  counts: Uint8Array;
}

const AGAIN = 500;

/** The dots of a picture. The old ones stay until the new are there; null while the server is not ready to count. */
export function useDensity({ filters, picture }: { filters: DeviceFilters; picture: Picture | null }): Density | null {
  const query = useQuery({
    // with the symbols' own key in front: what makes these old makes those old
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

import type { DeviceFilters, MapView } from '@swarmdeck/bff/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import type { Bbox } from './view.ts';

/** What the map asks the server for: more than is seen, so that a short drag needs no answer. */
export interface Viewport {
  bbox: Bbox;
  zoom: number;
}

/** How soon, in ms, the server is asked again that is still reading; it takes its time to answer. */
const AGAIN = 100;

/** The symbols of a viewport. The old ones stay until the new are there; an answer that comes too late is dropped. */
export function useMapView({
  filters,
  viewport,
  version,
}: {
  filters: DeviceFilters;
  viewport: Viewport | null;
  version: number;
}): UseQueryResult<MapView> {
  return useQuery({
    queryKey: ['map', filters, viewport, version],
    queryFn: async ({ signal }) => {
      const query = mapQuery({ filters, viewport: viewport! });
      return (await send<MapView>({ path: `/api/map?${query}`, signal })).data;
    },
    enabled: viewport !== null,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.building === undefined ? false : AGAIN),
    // each drag leaves one behind
    gcTime: 30_000,
  });
}

/** The query of `GET /api/map`; its bbox is the viewport's. */
export function mapQuery({ filters, viewport }: { filters: DeviceFilters; viewport: Viewport }): string {
  const query = filterQuery(filters);
  query.set('bbox', viewport.bbox.join(','));
  query.set('zoom', String(viewport.zoom));
  return query.toString();
}

/** The filters of the list, but for its bbox. */
export function filterQuery({ audience, q, machine_type, resource_type, swarm, placed }: DeviceFilters) {
  const query = new URLSearchParams({ audience });
  if (q) query.set('q', q);
  if (machine_type?.length) query.set('machine_type', machine_type.join(','));
  if (resource_type?.length) query.set('resource_type', resource_type.join(','));
  if (swarm) query.set('swarm', swarm);
  if (placed) query.set('placed', placed);
  return query;
}

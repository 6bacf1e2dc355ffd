import type { DeviceFilters, MapFeature, MapView } from '@swarmdeck/bff/contract';
import { keepPreviousData, QueryObserver, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { isInside } from '../../ui/map-view-url.ts';
import type { Bbox } from './geometry/view.ts';

/** What the map asks the server for: more than is seen, so that a short drag needs no answer. */
export interface Viewport {
  bbox: Bbox;
  zoom: number;
}

/** How soon, in ms, the server is asked again that is still reading; it takes its time to answer. */
const AGAIN = 100;

/** Which symbols are asked for. */
export interface MapQuestion {
  filters: DeviceFilters;
  viewport: Viewport | null;
}

/** The old symbols stay until the new ones are there; an answer that comes too late is dropped. */
const mapViewQuery = ({ filters, viewport }: MapQuestion) =>
  queryOptions({
    queryKey: queryKeys.map.view(filters, viewport),
    queryFn: async ({ signal }) => {
      const query = mapQuery({ filters, viewport: viewport! });
      return (await send<MapView>({ path: `/api/map?${query}`, signal })).data;
    },
    enabled: viewport !== null,
    placeholderData: keepPreviousData,
    // each drag leaves one behind
    gcTime: 30_000,
    // hundreds of symbols are not worth being compared one by one
    structuralSharing: false,
  });

/** What the page around the symbols has to know of an answer. */
export interface MapSummary extends Pick<MapView, 'total' | 'unplaced' | 'bounds' | 'building'> {
  /** Whether there is a symbol in sight. */
  inSight: boolean;
}

/** Renders anew only what is different: moves come five times a second, and nearly always change symbols alone. */
export function useMapSummary({ seen, ...question }: MapQuestion & { seen: Bbox | null }) {
  return useQuery({
    ...mapViewQuery(question),
    select: ({ features, total, unplaced, bounds, building }: MapView): MapSummary => ({
      ...{ total, unplaced, bounds, ...(building !== undefined && { building }) },
      inSight: seen === null || features.some(({ geometry }) => isAt(geometry, seen)),
    }),
    structuralSharing: (before, now) => (isSameSummary(before, now) ? before : now),
    refetchInterval: ({ state }) => (state.data?.building === undefined ? false : AGAIN),
  });
}

function isAt({ coordinates: [longitude, latitude] }: MapFeature['geometry'], bbox: Bbox): boolean {
  return isInside(bbox, { longitude, latitude });
}

function isSameSummary(before: unknown, now: unknown): boolean {
  const isSummary = typeof now === 'object' && now !== null && 'inSight' in now;
  return isSummary && JSON.stringify(before) === JSON.stringify(now);
}

/** Hands each answer on, past React: `show` draws it. */
export function useMapSymbols({ show, ...question }: MapQuestion & { show: (view: MapView) => void }): void {
  const client = useQueryClient();
  const options = mapViewQuery(question);
  const [observer] = useState(() => new QueryObserver(client, options));
  const take = useEffectEvent(({ data }: { data: MapView | undefined }) => {
    // what cannot be answered yet leaves the picture of the last answer
    if (data && data.building === undefined) show(data);
  });
  useEffect(() => observer.setOptions(options));
  useEffect(() => {
    take(observer.getCurrentResult());
    return observer.subscribe((result) => take(result));
  }, [observer]);
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

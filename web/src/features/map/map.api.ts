import type { DeviceFilters, MapFeature, MapView } from '@swarmdeck/bff/contract';
import { keepPreviousData, QueryObserver, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { read } from '../../data/client.ts';
import { filterParams, queryString, type ValueFilter } from '../../data/filter-params.ts';
import { lastValuesInterval } from '../../data/stream/poll-intervals.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { isInside } from '../../ui/urls/map-view-url.ts';
import type { Bbox } from './geometry/view.ts';

/** The requested area: more than the view, so that a short drag needs no request. */
export interface Viewport {
  bbox: Bbox;
  zoom: number;
}

/**
 * The area of the first request, before the map knows its view: `boot.js` preloads it (preloads.ts). Its response has the
 * bounds of all devices, to which the map opens.
 */
export const wholeWorld: Viewport = { bbox: [-180, -90, 180, 90], zoom: 2 };

/** The delay in ms before the next request while the server builds its index; each request waits for progress. */
const AGAIN = 100;

/** The parameters of a map request. */
export interface MapQuestion {
  filters: DeviceFilters & Pick<ValueFilter, 'values'>;
  viewport: Viewport | null;
}

/** The previous symbols stay until the next response. Outdated responses are dropped. */
export const mapViewQuery = ({ filters, viewport }: MapQuestion) =>
  queryOptions({
    queryKey: queryKeys.map.view(filters, viewport),
    queryFn: async ({ signal }) => {
      const query = mapQuery({ filters, viewport: viewport! });
      return await read('/api/map', {}, { query, signal });
    },
    enabled: viewport !== null,
    placeholderData: keepPreviousData,
    // Each drag leaves an entry in the cache.
    gcTime: 30_000,
    // Comparing hundreds of symbols is slower than replacing them.
    structuralSharing: false,
  });

/** The part of a response that the page around the symbols needs. */
export interface MapSummary extends Pick<MapView, 'total' | 'unplaced' | 'bounds' | 'building'> {
  /** Whether there is a symbol in the view. */
  inSight: boolean;
}

/** Renders only if the summary changes: moves arrive five times a second and usually change only symbols. */
export function useMapSummary({ seen, ...question }: MapQuestion & { seen: Bbox | null }) {
  return useQuery({
    ...mapViewQuery(question),
    select: (view: MapView) => summaryOf(view, seen),
    structuralSharing: (before, now) => (isSameSummary(before, now) ? before : now),
    // The stream says that devices have moved, and not what they measure.
    refetchInterval: ({ state }) =>
      state.data?.building !== undefined && !state.error ? AGAIN : question.filters.values && lastValuesInterval,
  });
}

export const summaryOf = ({ features, total, unplaced, bounds, building }: MapView, seen: Bbox | null): MapSummary => ({
  total,
  unplaced,
  bounds,
  ...(building !== undefined && { building }),
  inSight: seen === null || features.some(({ geometry }) => isAt(geometry, seen)),
});

function isAt({ coordinates: [longitude, latitude] }: MapFeature['geometry'], bbox: Bbox): boolean {
  return isInside(bbox, { longitude, latitude });
}

function isSameSummary(before: unknown, now: unknown): boolean {
  const isSummary = typeof now === 'object' && now !== null && 'inSight' in now;
  return isSummary && JSON.stringify(before) === JSON.stringify(now);
}

interface MapSymbolsOptions extends MapQuestion {
  /** Shown instead of the responses. */
  stored: MapView | null;
  show: (view: MapView) => void;
}

/** Passes each response to `show`, which draws it without a React render. */
export function useMapSymbols({ show, stored, ...question }: MapSymbolsOptions): void {
  const client = useQueryClient();
  const options = mapViewQuery(question);
  const [observer] = useState(() => new QueryObserver(client, options));
  const draw = useEffectEvent((view: MapView | undefined) => {
    // An incomplete response keeps the previous symbols.
    if (view && view.building === undefined) show(view);
  });
  const take = useEffectEvent((view: MapView | undefined) => stored === null && draw(view));
  useEffect(() => observer.setOptions(options));
  useEffect(() => draw(stored ?? observer.getCurrentResult().data), [observer, stored]);
  useEffect(() => observer.subscribe(({ data }) => take(data)), [observer]);
}

/** The query string of `GET /api/map`, with the bbox of the viewport. */
export const mapQuery = ({ filters, viewport }: { filters: MapQuestion['filters']; viewport: Viewport }) => {
  const { bbox, zoom } = viewport;
  return queryString({ audience: filters.audience, ...filterParams({ ...filters, bbox }), zoom: String(zoom) });
};

import { useRef } from 'react';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import type { VirtualListHandle } from '../../../ui/lists/list-sections.ts';
import { homeUrl, listBbox } from '../device-filters.ts';
import { useDeviceList } from './use-device-list.ts';
import type { HomeMap } from './use-home-map.ts';
import { useSortPoint } from './use-sort-point.ts';

/** The list of the home page, as the URL filters and sorts it. */
export function useHomeList({ view }: Pick<HomeMap, 'view'>) {
  const [url, setUrl] = useUrlState(homeUrl);
  const sortPoint = useSortPoint({ sort: url.sort, setSort: (sort) => setUrl({ sort }) });
  const bbox = listBbox({ state: url, view: view?.bbox ?? null });
  const list = useDeviceList({
    filters: url.filters,
    // Until the location is known, by name.
    sort: url.sort === 'near' && sortPoint.from === null ? 'name' : url.sort,
    near: sortPoint.from,
    bbox,
    waiting: url.in_view && view === null,
    shown: url.selected,
  });
  const handle = useRef<VirtualListHandle>(null);
  const { facets } = list.counts;
  /** No device of the user has a position. */
  const isNonePlaced = facets !== undefined && facets.all === facets.unplaced;
  return { ...list, handle, filters: url.filters, bbox, sortPoint, isNonePlaced };
}

export type HomeList = ReturnType<typeof useHomeList>;

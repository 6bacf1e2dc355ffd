/**
 * The filters of the list and the map, as they are in the URL. The parameters have the names of `GET /api/devices`, so
 * a link to the page reads like the request behind it. Unknown values are ignored: a truncated link still opens the
 * page.
 */
import type { DeviceFilters, DeviceSort } from '@swarmdeck/bff/contract';
import {
  filterParams,
  isByValue,
  queryString,
  readBbox,
  readChosen,
  readSearch,
  readValueFilter,
  withValues,
  type Bbox,
  type ValueFilter,
} from '../../data/filter-params.ts';
import { createPreference } from '../../ui/browser/preference.ts';
import type { UrlCodec } from '../../ui/urls/url-state.ts';

/** `audience`: with the devices of others that the user sees. Without it, only own ones. */
export type Filters = Omit<DeviceFilters, 'audience' | 'bbox'> & ValueFilter & { audience?: 'visible' };
/** Those that are a parameter by themselves, in the order of the page. */
const filterKinds = ['q', 'action', 'machine_type', 'presence', 'swarm', 'placed', 'refused', 'value'] as const;
/** A filter that can be removed; all selected machine types are one. */
export type FilterKind = (typeof filterKinds)[number] | 'stack' | 'in_view';

/** The sort orders that are useful for the user's own devices. */
export type ListSort = Extract<DeviceSort, 'name' | '-changed' | '-created' | '-heard' | 'near' | '-value' | 'value'>;
/** The last two need a value that is shown. */
export const sorts: readonly ListSort[] = ['name', '-changed', '-created', '-heard', 'near', '-value', 'value'];

export interface ListState {
  filters: Filters;
  sort: ListSort;
  /** The bbox of a cluster that no zoom separates: the list shows only its devices. */
  stack: Bbox | null;
  /** The list shows only devices in view. Its bbox is the part of the map that panel and card do not cover. */
  in_view: boolean;
}

function readListState(params: URLSearchParams): ListState {
  const filters: Filters = {};
  if (params.get('audience') === 'visible') filters.audience = 'visible';
  const q = readSearch(params);
  if (q) filters.q = q;
  const action = params.get('action');
  if (action) filters.action = action;
  const types = readChosen(params, 'machine_type');
  if (types?.length) filters.machine_type = types;
  const presence = readChosen(params, 'presence');
  if (presence?.length) filters.presence = presence;
  const swarm = params.get('swarm');
  if (swarm) filters.swarm = swarm;
  const placed = params.get('placed');
  if (placed === 'yes' || placed === 'no') filters.placed = placed;
  if (params.get('refused') === 'yes') filters.refused = 'yes';
  Object.assign(filters, readValueFilter(params));
  const known = sorts.find((each) => each === params.get('sort')) ?? 'name';
  const sort = isByValue(known) && !filters.value ? 'name' : known;
  return { filters, sort, stack: readBbox(params), in_view: params.get('in_view') === '1' };
}

/**
 * Five decimals are about a metre; more would only make every request different. Rounds outwards, so that a stack stays
 * inside, with a tolerance, so that a value with five decimals does not change.
 */
const outwards = (degrees: number, side: number) =>
  (side < 2 ? Math.floor(degrees * 1e5 + 1e-5) : Math.ceil(degrees * 1e5 - 1e-5)) / 1e5;

/**
 * The parameters of the list, in a URL or a request. `near`: the point of that sort order, latitude and longitude, separated by a
 * comma. It is in no URL: people share links.
 */
export const listParams = ({
  filters,
  sort = 'name',
  near,
  stack,
  in_view = false,
}: Pick<ListState, 'filters' | 'stack'> & Partial<ListState> & { near?: string | null }) => ({
  ...filterParams({ ...filters, ...(stack && { bbox: stack.map(outwards) as [...Bbox] }) }),
  sort: sort === 'name' ? undefined : sort,
  near: (sort === 'near' && near) || undefined,
  in_view: in_view ? '1' : undefined,
});

/** What the list shows without a parameter, as `public/boot.js` requests it. `auto`: own devices, or all that the user can see if none is own. */
export const listAudience = createPreference({ key: 'devices', values: ['auto', 'own', 'visible'] });

/** The home page: the list, the selected device, and the map view. */
export const homeUrl: UrlCodec<ListState & { selected: string | null; map: string | null; byValue: boolean }> = {
  read(params) {
    const list = readListState(params);
    const isBare = params.size === (params.has('lang') ? 1 : 0);
    if (isBare && listAudience.get() === 'visible') list.filters.audience = 'visible';
    const byValue = params.get('colour') === 'value' && list.filters.values !== undefined;
    return { ...list, selected: params.get('sel'), map: params.get('map'), byValue };
  },
  write: ({ selected, map, byValue, ...list }) => ({
    audience: list.filters.audience,
    ...listParams(list),
    sel: selected ?? undefined,
    map: map ?? undefined,
    colour: byValue ? 'value' : undefined,
  }),
};

/** The active filters, in the order of the page. */
export const filtersOn = ({ filters, stack, in_view }: Omit<ListState, 'sort'>): FilterKind[] => [
  ...filterKinds.filter((kind) => filters[kind]?.length),
  ...(stack ? (['stack'] as const) : []),
  ...(in_view ? (['in_view'] as const) : []),
];

export function removeFilter(state: ListState, kind: FilterKind): ListState {
  if (kind === 'in_view') return { ...state, in_view: false };
  if (kind === 'stack') return { ...state, stack: null };
  const filters = { ...state.filters };
  delete filters[kind];
  if (kind !== 'value') return { ...state, filters };
  // Only devices with the value can be sorted by it.
  return {
    ...state,
    filters: withValues(filters, filters.values ? { values: filters.values } : {}),
    sort: sortWithout(state.sort),
  };
}

const sortWithout = (sort: ListSort): ListSort => (isByValue(sort) ? 'name' : sort);

export function removeAllFilters(state: ListState): ListState {
  const { audience, values } = state.filters;
  const filters = { ...(audience && { audience }), ...(values && { values }) };
  return { ...state, filters, sort: sortWithout(state.sort), stack: null, in_view: false };
}

/** The bbox of the listed devices. `view` is the free part of the map. */
export function listBbox({ state, view }: { state: ListState; view: Bbox | null }): Bbox | null {
  return state.stack ?? (state.in_view ? view : null);
}

/** Sets a filter, or removes it if there is no value. */
export function withFilter<K extends 'audience' | 'q' | 'action' | 'swarm' | 'placed' | 'refused'>(
  filters: Filters,
  kind: K,
  value: Filters[K] | undefined,
): Filters {
  const next = { ...filters };
  if (value) next[kind] = value;
  else delete next[kind];
  return next;
}

/** Sets `swarm` or `placed`, or removes it if it has this value already. */
export function toggle<K extends 'swarm' | 'placed' | 'refused'>(
  filters: Filters,
  kind: K,
  value: NonNullable<Filters[K]>,
): Filters {
  return withFilter(filters, kind, filters[kind] === value ? undefined : value);
}

/** The query string of `GET /api/devices`. */
export function toQuery(options: {
  filters: Filters;
  sort?: ListSort;
  near?: string | null;
  bbox?: Bbox | null;
  cursor?: string | null;
  limit: number;
}): string {
  const { filters, sort, near = null, bbox = null, cursor, limit } = options;
  return queryString({
    audience: filters.audience ?? 'own',
    ...listParams({ filters, ...(sort && { sort }), near, stack: bbox }),
    cursor: cursor ?? undefined,
    limit: String(limit),
  });
}

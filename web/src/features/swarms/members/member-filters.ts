/** The filters of the members and their URL. Parameters have the API's names. */
import type { DeviceFilters, DeviceSort } from '@swarmdeck/bff/contract';
import {
  filterParams,
  isByValue,
  readBbox,
  readChosen,
  readSearch,
  readValueFilter,
  sortedBy,
  withValues,
  type Bbox,
  type ValueFilter,
} from '../../../data/filter-params.ts';
import type { UrlCodec } from '../../../ui/urls/url-state.ts';

export type MemberFilters = Pick<DeviceFilters, 'q' | 'resource_type' | 'machine_type' | 'presence'> &
  ValueFilter & {
    /** The bbox of a cluster that no zoom separates: the table shows only its members. */
    bbox?: Bbox;
  };

export type MemberSort = Exclude<DeviceSort, '-created' | 'near'>;
/** The last two need a value that is shown. */
export const memberSorts: readonly MemberSort[] = ['name', 'owner', '-changed', '-heard', '-joined', '-value', 'value'];

function readMemberFilters(params: URLSearchParams): MemberFilters {
  const q = readSearch(params);
  const resource_type = readChosen(params, 'resource_type');
  const machine_type = readChosen(params, 'machine_type');
  const presence = readChosen(params, 'presence');
  const bbox = readBbox(params);
  return {
    ...(q && { q }),
    ...(resource_type?.length && { resource_type }),
    ...(machine_type?.length && { machine_type }),
    ...(presence?.length && { presence }),
    ...(bbox && { bbox }),
    ...readValueFilter(params),
  };
}

interface MembersUrl {
  filters: MemberFilters;
  sort: MemberSort;
  selected: string | null;
  /** The map is coloured by the value that is shown. */
  byValue: boolean;
}

/** The members tab: filters of the table and the map, the order of the table, and the selected member. */
export const membersUrl: UrlCodec<MembersUrl> = {
  read(params) {
    const filters = readMemberFilters(params);
    const sort = memberSorts.find((known) => known === params.get('sort')) ?? 'name';
    return {
      filters,
      sort: isByValue(sort) && !filters.value ? 'name' : sort,
      selected: params.get('sel'),
      byValue: params.get('colour') === 'value' && filters.values !== undefined,
    };
  },
  write: ({ filters, sort, selected, byValue }) => ({
    ...filterParams(filters),
    sort: sort === 'name' ? undefined : sort,
    sel: selected ?? undefined,
    colour: byValue ? 'value' : undefined,
  }),
};

/** Shows this value of each member, or none, and filters by it. An order by another one ends. */
export function withShownValue({ filters, sort }: Pick<MembersUrl, 'filters' | 'sort'>, chosen: ValueFilter) {
  const next = withValues(filters, chosen);
  return isByValue(sort) && chosen.values
    ? sortedBy(sort, next)
    : { filters: next, sort: isByValue(sort) ? ('name' as const) : sort };
}

export function withoutBbox({ bbox: _bbox, ...rest }: MemberFilters): MemberFilters {
  return rest;
}

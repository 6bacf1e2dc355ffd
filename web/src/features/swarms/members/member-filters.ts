/** The filters of the members and their URL. Parameters have the API's names. */
import type { DeviceFilters, DeviceSort } from '@swarmdeck/bff/contract';
import { filterParams, readBbox, readChosen, type Bbox } from '../../../data/filter-params.ts';
import type { UrlCodec } from '../../../ui/url-state.ts';

export type MemberFilters = Pick<DeviceFilters, 'q' | 'resource_type' | 'machine_type' | 'presence'> & {
  /** The bbox of a cluster that no zoom separates: the table shows only its members. */
  bbox?: Bbox;
};

export type MemberSort = Exclude<DeviceSort, '-created' | 'near' | 'value' | '-value'>;
export const memberSorts: readonly MemberSort[] = ['name', 'owner', '-changed', '-heard', '-joined'];

function readMemberFilters(params: URLSearchParams): MemberFilters {
  const q = params.get('q');
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
  };
}

/** The members tab: filters of the table and the map, the order of the table, and the selected member. */
export const membersUrl: UrlCodec<{ filters: MemberFilters; sort: MemberSort; selected: string | null }> = {
  read: (params) => ({
    filters: readMemberFilters(params),
    sort: memberSorts.find((known) => known === params.get('sort')) ?? 'name',
    selected: params.get('sel'),
  }),
  write: ({ filters, sort, selected }) => ({
    ...filterParams(filters),
    sort: sort === 'name' ? undefined : sort,
    sel: selected ?? undefined,
  }),
};

export function withoutBbox({ bbox: _bbox, ...rest }: MemberFilters): MemberFilters {
  return rest;
}

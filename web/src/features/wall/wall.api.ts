import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { DeviceFilters, DevicePage, WallView } from '@swarmdeck/bff/contract';
import { read, send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { filterParams, queryString, type ValueFilter } from '../../data/filter-params.ts';
import { deviceQuery } from '../../data/cache/device-query.ts';
import { pagedQuery } from '../../data/cache/paged-query.ts';
import { isDenied, isSignedOut } from '../../data/problem.ts';
import { withoutTime } from '../../data/cache/query-cache.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';

/**
 * The poll interval of the counts, in ms. Each request costs the server about as much as there were changes in a
 * minute.
 */
const pollMs = 3000;
const everyWhileBuilding = 500;
const deviceEvery = 10_000;

export type WallSummary = Omit<WallView, 'at'>;

/** The counts of all devices of an audience, on the map or not. */
export function wallQuery(audience: string) {
  return queryOptions({
    queryKey: queryKeys.wall.summary(audience),
    queryFn: async ({ signal }): Promise<WallSummary> =>
      withoutTime(await read('/api/wall', {}, { query: new URLSearchParams({ audience }), signal })),
    refetchInterval: ({ state }) => {
      // A signed-out user has to sign in first, and a stranger has to get access.
      if (isSignedOut(state.error) || isDenied(state.error)) return false;
      return state.error || state.data?.building === undefined ? pollMs : everyWhileBuilding;
    },
    refetchOnWindowFocus: 'always',
  });
}

/**
 * The selected device as this audience sees it, with its role. The event stream has its latest position. It is fetched as often as the
 * list, because the stream has no event when a device is only heard.
 */
export const wallDeviceQuery = ({ audience, id }: { audience: string; id: string }) => ({
  ...deviceQuery(id, audience),
  refetchInterval: deviceEvery,
  gcTime: 30_000,
});

/** The silent devices that were heard last. For the sound: a number stays the same if one falls silent while another one is back. */
export const silentQuery = (audience: string) => {
  const query = queryString({ audience, limit: '100', presence: 'silent', sort: '-heard' });
  const path = pathTo('/api/devices', {}, query);
  return queryOptions({
    queryKey: queryKeys.wall.around(path),
    queryFn: async ({ signal }) => (await send({ path, signal })).data,
    refetchInterval: pollMs,
    gcTime: 0,
  });
};

/** The first devices that match the filters, by name, and their number. */
export function readFirst(client: QueryClient, filters: DeviceFilters): Promise<DevicePage> {
  const path = pathTo('/api/devices', {}, devicesQuery(filters));
  return client.fetchQuery({
    queryKey: queryKeys.wall.around(path),
    queryFn: async ({ signal }) => (await send({ path, signal })).data,
    staleTime: 10_000,
    gcTime: 10_000,
  });
}

/** The devices on the wall, in an order. */
export function wallListQuery(filters: ListFilters) {
  const query = devicesQuery(filters);
  const pages = pagedQuery({
    key: queryKeys.wall.list(query),
    path: (cursor) => pathTo('/api/devices', {}, `${query}&cursor=${encodeURIComponent(cursor)}`),
    interval: () => deviceEvery,
  });
  return { ...pages, gcTime: 30_000 };
}

export type WallListSort = 'name' | '-heard' | '-value' | 'value';

type ListFilters = DeviceFilters & ValueFilter & { sort?: WallListSort };

/** The query string of a page of devices. */
const devicesQuery = ({ audience, sort, ...filters }: ListFilters) =>
  queryString({ audience, limit: '100', ...filterParams(filters), sort: sort === 'name' ? undefined : sort });

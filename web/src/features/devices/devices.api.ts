import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { read, send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { isLive } from '../../data/stream/connection-status.ts';
import { lastValuesInterval, pollRarelyWhileLive } from '../../data/stream/poll-intervals.ts';
import { filterParams, queryString, type Bbox } from '../../data/filter-params.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { toQuery, type Filters, type ListSort } from './device-filters.ts';

/** Which devices, in which order; `bbox` only while the list follows the map. */
export interface DeviceQuery {
  filters: Filters;
  sort: ListSort;
  near?: string | null;
  bbox: Bbox | null;
}

/** The start of the loaded rows: the first row, an offset, or half a page before a device. */
export type ListStart = { offset: number } | { around: string } | null;

const pollEvery = 15_000;
/** Poll interval of a visible page while the stream is not live. */
const refetchInterval = pollRarelyWhileLive(pollEvery);
/** Lists that start before this row are loaded from the first page on. */
const firstPage = 100;
const morePages = 200;

/** In ms. The progress of the server's count is fetched this often. */
const countInterval = 500;

async function readPage(query: string, signal: AbortSignal): Promise<DevicePage> {
  return await read('/api/devices', {}, { query, signal });
}

/** The rows immediately, and the counts when they are known. */
const rowsFirst = (query: string) => `${query}&counts=later`;

/**
 * The pages of the list. It is not fetched again automatically, so that rows keep their place (home/use-device-list.ts).
 */
export function devicePagesQuery({ start, ...query }: DeviceQuery & { start: ListStart }) {
  const from = start && new URLSearchParams(Object.entries(start).map(([name, value]) => [name, String(value)]));
  return infiniteQueryOptions({
    queryKey: queryKeys.devices.list(toQuery({ ...query, limit: 0 }), start),
    queryFn: ({ pageParam: cursor, signal }) => {
      const page = toQuery({ ...query, cursor, limit: cursor === null && !from ? firstPage : morePages });
      return readPage(rowsFirst(cursor === null && from ? `${page}&${from}` : page), signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    // Each click on a distant marker leaves a page in the cache.
    ...(start && { gcTime: 60_000 }),
    refetchOnWindowFocus: false,
    // Comparing every row with its previous version is slow for long lists.
    structuralSharing: false,
  });
}

/** Refetches the list from its first row, without the other pages that were loaded. */
export function reloadFirstPage({ client, query }: { client: QueryClient; query: DeviceQuery }) {
  const { queryKey } = devicePagesQuery({ ...query, start: null });
  client.setQueryData(
    queryKey,
    (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
  );
  void client.invalidateQueries({ queryKey, exact: true });
}

/** Whether a device matches the filters. */
export async function isListed({ filters, id }: { filters: Filters; id: string }): Promise<boolean> {
  const page = toQuery({ filters, sort: 'name', bbox: null, limit: 1 });
  const path = pathTo('/api/devices', {}, `${rowsFirst(page)}&around=${encodeURIComponent(id)}`);
  return (await send({ path })).data.items.some((device) => device.id === id);
}

/** The latest changes of the same devices, and the counts: a small response every few seconds. */
export function latestDevicesQuery({ newest, ...query }: DeviceQuery & { newest: DevicePage | undefined }) {
  const path = toQuery({ ...query, sort: '-changed', limit: 50 });
  return queryOptions({
    queryKey: queryKeys.devices.latestOf(path),
    queryFn: ({ signal }) => readPage(rowsFirst(path), signal),
    enabled: newest !== undefined,
    initialData: () => newest,
    initialDataUpdatedAt: () => Date.now(),
    staleTime: pollEvery,
    refetchInterval: ({ state }) =>
      state.error || state.data?.building === undefined ? refetchInterval() : countInterval,
    refetchOnWindowFocus: 'always',
  });
}

interface InViewOptions {
  ids: string;
  /** When the rows were read, in ms of the local clock. */
  readAt: number;
  filters: Filters;
}

/** The rows in view. On a busy fleet, more devices change than `latestDevicesQuery` requests. */
export function devicesInViewQuery({ ids, readAt, filters: { audience, values } }: InViewOptions) {
  const of = `${audience ? `&audience=${audience}` : ''}${values ? `&${queryString(filterParams({ values }))}` : ''}`;
  return queryOptions({
    queryKey: queryKeys.devices.inView(ids, values),
    queryFn: async ({ signal }): Promise<Device[] | null> =>
      await read('/api/devices/by-id', {}, { query: `ids=${ids}${of}`, signal }),
    initialData: null,
    initialDataUpdatedAt: readAt,
    staleTime: pollEvery,
    // A scrolled list leaves one after the other.
    gcTime: 0,
    refetchInterval: values ? lastValuesInterval : refetchInterval,
    refetchOnWindowFocus: 'always',
  });
}

/** Only the counts for some filters, such as without one of them. */
export function deviceCountQuery(query: Omit<DeviceQuery, 'sort'>) {
  const path = toQuery({ ...query, limit: 0 });
  return queryOptions({
    queryKey: queryKeys.devices.count(path),
    queryFn: async ({ signal }) => (await readPage(path, signal)).total,
  });
}

/** How many devices of others a user sees who has no device; 0 for a user who has one. */
export const watchedCountQuery = queryOptions({
  queryKey: queryKeys.devices.count('watched'),
  async queryFn({ signal }) {
    const { total } = await readPage('audience=visible&limit=0', signal);
    // After it, because own devices may have been created since the list was read: the demo creates them first.
    const own = total === 0 ? 0 : (await readPage('limit=0', signal)).total;
    return own === 0 ? total : 0;
  },
});

/** Fetches the map if the list has found changed devices and the live stream does not report them. */
export function refetchMapUnlessLive(client: QueryClient) {
  if (!isLive()) void client.invalidateQueries({ queryKey: queryKeys.map.all });
}

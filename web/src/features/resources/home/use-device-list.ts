/**
 * Tracks what changed since the list was loaded. Rows are updated in place. The rows whose position in the sort order
 * has changed are counted, and sorted when the user asks for it.
 */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { rowsOf } from '../../../api/paged-rows.ts';
import { isUnreachable } from '../../../api/problem.ts';
import { refetchMapUnlessLive, devicePagesQuery, latestDevicesQuery, reloadFirstPage } from '../resources.api.ts';
import type { DeviceQuery, ListStart } from '../resources.api.ts';
import { toQuery } from '../device-filters.ts';
import type { ListSort } from '../device-filters.ts';

/** The last list that was left, with its scroll position. */
let left: { list: string; start: ListStart; top: number } | undefined;

/** The start of a list: where it was left, around the device to show, or the first row. */
function firstStart(options: {
  client: QueryClient;
  list: string;
  query: DeviceQuery;
  shown: string | null;
}): ListStart {
  const { client, list, query, shown } = options;
  if (left?.list === list) return left.start;
  const pages = client.getQueryData(devicePagesQuery({ ...query, start: null }).queryKey)?.pages ?? [];
  return shown === null || rowsOf(pages).get(shown) ? null : { around: shown };
}

/**
 * The rows as they were loaded, updated in place as devices change, with the current counts.
 * `waiting`: the filters are not known yet. `shown`: the device to begin around.
 */
export function useDeviceList(options: DeviceQuery & { waiting: boolean; shown: string | null }) {
  const { waiting: isWaiting, shown, ...query } = options;
  const client = useQueryClient();
  const list = toQuery({ ...query, limit: 0 });
  const [begun, setBegun] = useState(() => ({ list, start: firstStart({ client, list, query, shown }) }));
  const start = begun.list === list ? begun.start : null;
  const begin = (next: ListStart) => setBegun({ list, start: next });
  const pages = useInfiniteQuery({ ...devicePagesQuery({ ...query, start }), enabled: !isWaiting });
  const [previous, setPrevious] = useState(pages.data);
  if (pages.data && pages.data !== previous) setPrevious(pages.data);
  // The server cannot be reached: the rows of the previous filters are shown, with their age.
  const old = pages.data === undefined && isUnreachable(pages.error) && previous !== undefined;
  const data = old ? previous : pages.data;
  const first = data?.pages[0];
  const latestQuery = latestDevicesQuery({ ...query, newest: old || pages.isPlaceholderData ? undefined : first });
  const latest = useQuery({ ...latestQuery, select: useWithoutTime(first?.at) });
  const rows = useMemo(() => rowsOf(data?.pages ?? []), [data]);

  const [updates, setUpdates] = useState<{ of: string | undefined; fresh: ChangedDevices }>({
    of: undefined,
    fresh: new Map(),
  });
  const fresh = useMemo(
    () =>
      refresh({
        fresh: updates.of === first?.at ? updates.fresh : new Map(),
        known: rows,
        items: latest.data?.items ?? [],
      }),
    [updates, first?.at, rows, latest.data],
  );
  if (updates.fresh !== fresh || updates.of !== first?.at) setUpdates({ of: first?.at, fresh });
  useEffect(() => {
    if (fresh.size > 0) refetchMapUnlessLive(client);
  }, [client, fresh]);

  const newest = latest.data?.isNewer ? latest.data : first;
  const counted = newest?.building === undefined ? newest : undefined;
  const isAway = isUnreachable(pages.error ?? latest.error);
  const moved =
    first && newest
      ? outOfPlace({
          known: rows,
          fresh,
          at: first.at,
          // The total was unknown, so no row is missing.
          loaded_total: first.building === undefined ? first.total : newest.total,
          total: newest.total,
          sort: query.sort,
        })
      : 0;

  return {
    rows,
    /** How many rows come before these. */
    offset: first?.offset ?? 0,
    start,
    /** Loads the rows around a device unless its row is loaded. */
    loadAround: (id: string) => {
      if (!rows.get(id)) begin({ around: id });
    },
    /** Replaces the rows by those from this index on. */
    loadFrom: (row: number) => begin(row > 0 ? { offset: row } : null),
    /** The scroll position when the list was left, in px. */
    leftAt: left?.list === list ? left.top : 0,
    leave: (top: number) => {
      left = { list, start, top };
    },
    /** The newest known state of a device in the list. */
    device: (id: string): Device | undefined => {
      const [row, update] = [rows.get(id), fresh.get(id)];
      return row && update && update.changed_at > row.changed_at ? update : row;
    },
    /** The number of matches in the latest response that has it; undefined before the first. */
    total: counted?.total,
    facets: counted?.facets,
    /** The progress of the server's count, from 0 to 1; undefined if it is complete. */
    building: newest?.building,
    outOfPlace: moved,
    /** The rows of other filters are still shown while these are fetched. */
    changing: pages.isPlaceholderData,
    error: pages.error ?? latest.error,
    /** The rows of other filters are shown because these cannot be fetched. */
    old,
    /** The time of the data, while the server cannot be reached. */
    asOf: isAway ? (latest.data?.isNewer ? client.getQueryData(latestQuery.queryKey) : first)?.at : undefined,
    loadMore: () => {
      if (pages.hasNextPage && !pages.isFetching && !pages.isError) void pages.fetchNextPage();
    },
    hasMore: pages.hasNextPage,
    /** Loads the list again from its first row, in the current order. */
    sortAgain: () => {
      reloadFirstPage({ client, query });
      begin(null);
    },
    reload: () => {
      void pages.refetch();
      void latest.refetch();
    },
  };
}

export type DeviceList = ReturnType<typeof useDeviceList>;

/** The time of a response is another one each time. Without it, a response without changes renders nothing. */
function useWithoutTime(firstAt: string | undefined) {
  return useCallback(
    ({ at, ...page }: DevicePage) => ({ ...page, isNewer: firstAt !== undefined && at > firstAt }),
    [firstAt],
  );
}

/** The latest state of each device that has changed. */
type ChangedDevices = ReadonlyMap<string, Device>;

/** The rows as they were loaded, by id. */
interface Known {
  get(id: string): Device | undefined;
}

/** Adds the changed devices of a response. Returns the same map if nothing has changed. */
export function refresh({
  fresh,
  known,
  items,
}: {
  fresh: ChangedDevices;
  known: Known;
  items: Device[];
}): ChangedDevices {
  const newer = items.filter((item) => {
    const last = fresh.get(item.id) ?? known.get(item.id);
    return last === undefined || last.changed_at < item.changed_at;
  });
  if (newer.length === 0) return fresh;
  return new Map([...fresh, ...newer.map((item) => [item.id, item] as const)]);
}

const place: Record<ListSort, (device: Device) => string> = {
  name: (device) => device.name,
  '-changed': (device) => device.changed_at,
  '-created': (device) => device.created_at,
};

/**
 * The number of rows that a new sort would move, add or remove. The list was loaded at `at` with `loaded_total`
 * matches; `total` is the current number.
 */
export function outOfPlace(list: {
  known: Known;
  fresh: ChangedDevices;
  at: string;
  loaded_total: number;
  total: number;
  sort: ListSort;
}): number {
  let moved = 0;
  let added = 0;
  for (const device of list.fresh.values()) {
    const row = list.known.get(device.id);
    if (row) moved += place[list.sort](row) === place[list.sort](device) ? 0 : 1;
    else if (device.created_at > list.at) added += 1;
    else if (list.sort === '-changed' && device.changed_at > list.at) moved += 1;
  }
  const grown = list.total - list.loaded_total;
  return moved + Math.max(added, grown) + Math.max(0, added - grown);
}

/**
 * Tracks what changed since the list was loaded. Rows are updated in place. The rows whose position in the sort order
 * has changed are counted, and sorted when the user asks for it.
 */
import { useInfiniteQuery, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { oncePerClient } from '../../../data/of-client.ts';
import { isSameRow } from '../../../data/cache/device-row.ts';
import { rowsOf, type Rows } from '../../../data/cache/paged-rows.ts';
import { isUnreachable } from '../../../data/problem.ts';
import {
  devicePagesQuery,
  devicesInViewQuery,
  latestDevicesQuery,
  refetchMapUnlessLive,
  reloadFirstPage,
  type DeviceQuery,
  type ListStart,
} from '../devices.api.ts';
import { toQuery, type Filters, type ListSort } from '../device-filters.ts';

/** The last list that was left, with its scroll position. */
const leftOf = oncePerClient((): { last?: { list: string; start: ListStart; top: number } } => ({}));

/** The start of a list: where it was left, around the device to show, or the first row. */
function firstStart(options: {
  client: QueryClient;
  list: string;
  query: DeviceQuery;
  shown: string | null;
}): ListStart {
  const { client, list, query, shown } = options;
  const left = leftOf({ client }).last;
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
  const left = leftOf({ client });
  const { pages, data, rows, isOld, list, start, begin } = usePages({ query, shown, isEnabled: !isWaiting });
  const first = data?.pages[0];
  const firstRow = first?.offset ?? 0;
  const [visible, setVisible] = useState({ start: 0, end: 0 });
  const { latest, newest, ...changes } = useChanges({
    query,
    first,
    rows,
    visible,
    readAt: pages.dataUpdatedAt,
    isEnabled: !isOld && !pages.isPlaceholderData,
  });
  // Nobody reads rows that are not there: the first ones need no button.
  const hasFirstRows = first?.total === 0 && changes.outOfPlace > 0;
  const { refetch } = pages;
  useEffect(() => {
    if (hasFirstRows) void refetch();
  }, [hasFirstRows, refetch]);

  const counted = newest?.building === undefined ? newest : undefined;
  const error = pages.error ?? latest.error;
  return {
    rows,
    /** Which rows are loaded, and how others are. */
    scroll: {
      /** How many rows come before the loaded ones. */
      offset: firstRow,
      start,
      /** Loads the rows around a device unless its row is loaded. */
      loadAround: (id: string) => {
        if (!rows.get(id)) begin({ around: id });
      },
      /** Replaces the rows by those from this index on. */
      loadFrom: (row: number) => begin(row > 0 ? { offset: row } : null),
      hasMore: pages.hasNextPage,
      loadMore: () => {
        if (pages.hasNextPage && !pages.isFetching && !pages.isError) void pages.fetchNextPage();
      },
      /** The scroll position when the list was left, in px. */
      leftAt: left.last?.list === list ? left.last.top : 0,
      leave: (top: number) => {
        left.last = { list, start, top };
      },
      /** Requests the changes of the rows from this index to before that one. */
      show({ start, end }: { start: number; end: number }) {
        const shown = { start: start - (start % viewStep), end: end + viewStep - (end % viewStep) };
        if (shown.start !== visible.start || shown.end !== visible.end) setVisible(shown);
      },
    },
    /** The counts of all that match, not of the loaded rows. */
    counts: {
      /** The number of matches in the latest response that has it; undefined before the first. */
      total: counted?.total,
      facets: counted?.facets,
      /** The progress of the server's count, from 0 to 1; undefined if it is complete. */
      building: newest?.building,
    },
    changes: {
      ...changes,
      /** Loads the list again from its first row, in the current order. */
      sortAgain() {
        reloadFirstPage({ client, query });
        begin(null);
      },
    },
    status: {
      /** The rows of other filters are still shown while these are fetched. */
      isChanging: pages.isPlaceholderData,
      /** The rows of other filters are shown because these cannot be fetched. */
      isOld,
      error,
      /** The server cannot be reached: a notice says so, and how old the page is. */
      isAway: isUnreachable(error),
      refetch() {
        void pages.refetch();
        void latest.refetch();
      },
    },
  };
}

export type DeviceList = ReturnType<typeof useDeviceList>;

/** The loaded pages of the list, and where they start. */
function usePages({ query, shown, isEnabled }: { query: DeviceQuery; shown: string | null; isEnabled: boolean }) {
  const client = useQueryClient();
  const list = toQuery({ ...query, limit: 0 });
  const [begun, setBegun] = useState(() => ({ list, start: firstStart({ client, list, query, shown }) }));
  const start = begun.list === list ? begun.start : null;
  const pages = useInfiniteQuery({ ...devicePagesQuery({ ...query, start }), enabled: isEnabled });
  const [previous, setPrevious] = useState(pages.data);
  if (pages.data && pages.data !== previous) setPrevious(pages.data);
  // The server cannot be reached: the rows of the previous filters are shown, with their age.
  const isOld = pages.data === undefined && isUnreachable(pages.error) && previous !== undefined;
  const data = isOld ? previous : pages.data;
  const rows = useMemo(() => rowsOf(data?.pages ?? []), [data]);
  return { pages, data, rows, isOld, list, start, begin: (next: ListStart) => setBegun({ list, start: next }) };
}

/** What has changed since the pages were loaded. `first`: the first of them. */
function useChanges(options: {
  query: DeviceQuery;
  first: DevicePage | undefined;
  rows: Rows<Device>;
  visible: { start: number; end: number };
  /** When the rows were read, in ms of the local clock. */
  readAt: number;
  isEnabled: boolean;
}) {
  const { query, first, rows, visible, readAt, isEnabled } = options;
  const latestQuery = latestDevicesQuery({ ...query, newest: isEnabled ? first : undefined });
  const latest = useQuery({ ...latestQuery, select: useIsNewer(first?.at) });
  const { filters, sort } = query;
  const inView = useInView({ rows, firstRow: first?.offset ?? 0, readAt, visible, filters, isEnabled });
  const fresh = useChangedDevices({ rows, readAt: first?.at, items: latest.data?.items, inView, sort });
  const newest = latest.data?.isNewer ? latest.data : first;
  const moved =
    first && newest
      ? outOfPlace({
          known: rows,
          fresh,
          at: first.at,
          // The total was unknown, so no row is missing.
          loaded_total: first.building === undefined ? first.total : newest.total,
          total: newest.total,
          sort,
        })
      : 0;
  return {
    latest,
    /** The newest response with counts. */
    newest,
    /** The newest known state of a device in the list. */
    device: (id: string): Device | undefined => {
      const [row, update] = [rows.get(id), fresh.get(id)];
      return row && update && update.changed_at >= row.changed_at ? update : row;
    },
    outOfPlace: moved,
    /** Not all changed devices are counted. */
    isMore: fresh.size >= mostChanged,
  };
}

/** Keeps of the time of a response only whether it is newer than the pages. */
function useIsNewer(firstAt: string | undefined) {
  return useCallback(
    ({ at, ...page }: DevicePage) => ({ ...page, isNewer: firstAt !== undefined && at > firstAt }),
    [firstAt],
  );
}

/** The rows in view are requested in steps, so that scrolling by one row requests and renders nothing. */
const viewStep = 20;
/** In ms after the last step: rows that only pass are not requested. */
const scrollPause = 250;
/** The server's limit. */
const mostInView = 100;

/** The devices in view as they are now; undefined while the rows are as new. */
function useInView(options: {
  rows: Rows<Device>;
  firstRow: number;
  /** When the rows were read, in ms of the local clock. */
  readAt: number;
  visible: { start: number; end: number };
  filters: Filters;
  isEnabled: boolean;
}): readonly Device[] | undefined {
  const { rows, firstRow, readAt, visible, filters, isEnabled } = options;
  const [known, setKnown] = useState<readonly Device[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const indexes = Array.from({ length: visible.end - visible.start }, (_, index) => visible.start + index);
      const shown = indexes.flatMap((index) => rows.at(index - firstRow) ?? []).slice(0, mostInView);
      setKnown((now) => (now.length === shown.length && shown.every(({ id }, at) => id === now[at]?.id) ? now : shown));
    }, scrollPause);
    return () => clearTimeout(timer);
  }, [rows, firstRow, visible]);
  const query = devicesInViewQuery({ known, readAt, filters });
  const { data, dataUpdatedAt } = useQuery({ ...query, enabled: isEnabled && known.length > 0 });
  return dataUpdatedAt > readAt ? data : undefined;
}

/** The devices that have changed since the list was read at `readAt`. */
function useChangedDevices(options: {
  rows: Rows<Device>;
  readAt: string | undefined;
  items: readonly Device[] | undefined;
  inView: readonly Device[] | undefined;
  sort: ListSort;
}): ChangedDevices {
  const { rows, readAt, items, inView, sort } = options;
  const client = useQueryClient();
  const [known, setKnown] = useState<{ of: string | undefined; fresh: ChangedDevices }>({
    of: undefined,
    fresh: new Map(),
  });
  const fresh = useMemo(
    () =>
      refresh({
        fresh: known.of === readAt ? known.fresh : new Map(),
        known: rows,
        items: items ?? [],
        inView,
        at: readAt ?? '',
        sort,
      }),
    [known, readAt, rows, items, inView, sort],
  );
  if (known.fresh !== fresh || known.of !== readAt) setKnown({ of: readAt, fresh });
  useEffect(() => {
    if (fresh.size > 0) refetchMapUnlessLive(client);
  }, [client, fresh]);
  return fresh;
}

/** The latest state of devices that have changed. */
type ChangedDevices = ReadonlyMap<string, Device>;
/** So many of them are kept: a fleet can change faster than the user sorts its list again. */
export const mostChanged = 1000;

/** The rows as they were loaded, by id. */
interface Known {
  get(id: string): Device | undefined;
}

interface RefreshOptions {
  fresh: ChangedDevices;
  known: Known;
  items: readonly Device[];
  inView?: readonly Device[] | undefined;
  at: string;
  sort: ListSort;
}

/**
 * Adds the changed devices of two responses. Returns the same map if nothing has changed. If there are too many, those of
 * these responses stay, then those that a new sort would move.
 */
export function refresh({ fresh, known, items, inView = [], ...list }: RefreshOptions): ChangedDevices {
  const all = new Map(fresh);
  let isChanged = false;
  const take = (item: Device, isNewer: (last: Device) => boolean) => {
    const last = all.get(item.id) ?? known.get(item.id);
    if (last && !isNewer(last)) return;
    isChanged = true;
    // At the end of the map are the latest.
    all.delete(item.id);
    all.set(item.id, item);
  };
  for (const item of items) take(item, (last) => last.changed_at < item.changed_at);
  for (const item of inView) {
    // Joining a swarm or being heard does not change the time of a device.
    take(
      item,
      (last) => last.changed_at < item.changed_at || (last.changed_at === item.changed_at && !isSameRow(last, item)),
    );
  }
  if (!isChanged) return fresh;
  if (all.size <= mostChanged) return all;
  const stays = new Set([...items, ...inView].map(({ id }) => id));
  const rank = (device: Device) => (stays.has(device.id) ? 2 : movementOf({ device, known, ...list }) ? 1 : 0);
  const ranked = [...all.values()].map((device) => ({ device, rank: rank(device) }));
  const kept = ranked.toSorted((a, b) => a.rank - b.rank).slice(-mostChanged);
  return new Map(kept.map(({ device }) => [device.id, device]));
}

const place: Record<ListSort, (device: Device) => string> = {
  name: (device) => device.name,
  '-changed': (device) => device.changed_at,
  '-created': (device) => device.created_at,
  '-heard': (device) => device.presence.heard_at ?? '',
  near: ({ position }) => `${position?.latitude},${position?.longitude}`,
  '-value': ({ values }) => JSON.stringify(values),
  value: ({ values }) => JSON.stringify(values),
};

/** Whether a new sort would move the row of a changed device, or add one. */
function movementOf({ device, known, at, sort }: { device: Device; known: Known; at: string; sort: ListSort }) {
  const row = known.get(device.id);
  if (row) return place[sort](row) === place[sort](device) ? undefined : 'moved';
  if (device.created_at > at) return 'added';
  return sort === '-changed' && device.changed_at > at ? 'moved' : undefined;
}

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
  const movements = [...list.fresh.values()].map((device) => movementOf({ ...list, device }));
  const moved = movements.filter((movement) => movement === 'moved').length;
  const added = movements.filter((movement) => movement === 'added').length;
  const grown = list.total - list.loaded_total;
  return moved + Math.max(added, grown) + Math.max(0, added - grown);
}

/**
 * Tracks what changed since the list was loaded. Rows are updated in place. The rows whose position in the sort order
 * has changed are counted, and sorted when the user asks for it.
 */
import { useInfiniteQuery, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { oncePerClient } from '../../../data/of-client.ts';
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
import { toQuery, type Filters } from '../device-filters.ts';
import { mostChanged, outOfPlace, refresh, type ChangedDevices, type ListOrder } from './changed-devices.ts';

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
  const { value } = filters;
  const order = useMemo(() => ({ sort, value }), [sort, value]);
  const inView = useInView({ rows, firstRow: first?.offset ?? 0, readAt, visible, filters, isEnabled });
  const fresh = useChangedDevices({ rows, readAt: first?.at, items: latest.data?.items, inView, order });
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
          order,
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
  order: ListOrder;
}): ChangedDevices {
  const { rows, readAt, items, inView, order } = options;
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
        order,
      }),
    [known, readAt, rows, items, inView, order],
  );
  if (known.fresh !== fresh || known.of !== readAt) setKnown({ of: readAt, fresh });
  useEffect(() => {
    if (fresh.size > 0) refetchMapUnlessLive(client);
  }, [client, fresh]);
  return fresh;
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Rows } from '../../../data/cache/paged-rows.ts';
import { devicesInViewQuery, latestDevicesQuery, refetchMapUnlessLive, type DeviceQuery } from '../devices.api.ts';
import type { Filters } from '../device-filters.ts';
import { mostChanged, outOfPlace, refresh, type ChangedDevices, type ListOrder } from './changed-devices.ts';

/** What has changed since the pages of the list were loaded. `first`: the first of them. */
export function useChanges(options: {
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

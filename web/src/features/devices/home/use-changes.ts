import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { DeviceChanges } from '../../../data/cache/cached-devices.ts';
import type { Rows } from '../../../data/cache/paged-rows.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { useFetched } from '../../../data/cache/use-fetched.ts';
import { devicesInViewQuery, latestDevicesQuery, refetchMapUnlessLive, type DeviceQuery } from '../devices.api.ts';
import { mostChanged, outOfPlace, refresh, type RefreshOptions } from './changed-devices.ts';

const none: DeviceChanges = { devices: new Map() };

/**
 * What has changed since the pages of the list were loaded. `first`: the first of them. Two requests ask for it. What they find is added
 * to one entry of the cache, which own edits change too (data/cache/cached-devices.ts).
 */
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
  const client = useQueryClient();
  const at = first?.at ?? '';
  const list = { known: rows, at, order: { sort: query.sort, value: query.filters.value } };
  const queryKey = queryKeys.devices.changesSince(first?.at);
  const { data: changes = none } = useQuery<DeviceChanges>({ queryKey, queryFn: skipToken });

  const latestQuery = latestDevicesQuery({ ...query, newest: isEnabled ? first : undefined });
  const latest = useQuery(latestQuery);
  const ids = useSettledIds({ rows, firstRow: first?.offset ?? 0, visible });
  const inViewQuery = devicesInViewQuery({ ids, readAt, filters: query.filters });
  useQuery({ ...inViewQuery, enabled: isEnabled && ids !== '', notifyOnChangeProps: [] });

  const add = (found: Pick<RefreshOptions, 'items' | 'inView'>, counts?: DeviceChanges['counts']) => {
    const before = client.getQueryData<DeviceChanges>(queryKey) ?? none;
    const devices = refresh({ ...list, ...found, fresh: before.devices });
    client.setQueryData<DeviceChanges>(queryKey, { counts: counts ?? before.counts, devices });
    if (devices !== before.devices) refetchMapUnlessLive(client);
  };
  const addLatest = ({ items, next: _next, at: now, ...counts }: DevicePage, inView: Device[] = []) =>
    add({ items, inView }, now > at ? counts : undefined);
  useFetched<DevicePage>(latestQuery, (page) => addLatest(page));
  useFetched<Device[]>(inViewQuery, (inView) => add({ inView }));
  // What came while another order was shown, or before these pages, may be newer than they are.
  const addEarlier = useEffectEvent((since: string) => {
    const page = client.getQueryData(latestQuery.queryKey);
    const { data, dataUpdatedAt = 0 } = client.getQueryState(inViewQuery.queryKey) ?? {};
    if (page && page.at > since) addLatest(page, (dataUpdatedAt > readAt && data) || []);
  });
  useEffect(() => addEarlier(at), [at]);

  const newest = changes.counts ?? first;
  return {
    latest,
    /** The newest response with counts. */
    newest,
    /** The newest known state of a device in the list. */
    device: useCallback(
      (id: string): Device | undefined => {
        const [row, update] = [rows.get(id), changes.devices.get(id)];
        return row && update && update.changed_at >= row.changed_at ? update : row;
      },
      [rows, changes.devices],
    ),
    outOfPlace:
      first && newest
        ? outOfPlace({
            ...list,
            fresh: changes.devices,
            // The total was unknown, so no row is missing.
            loaded_total: first.building === undefined ? first.total : newest.total,
            total: newest.total,
          })
        : 0,
    /** Not all changed devices are counted. */
    isMore: changes.devices.size >= mostChanged,
  };
}

/** In ms after the last step: rows that only pass are not requested. */
const scrollPause = 250;
/** The server's limit. */
const mostInView = 100;

/** The ids of the rows in view, with commas, once they have stayed for a moment. */
function useSettledIds(options: {
  rows: Rows<Device>;
  firstRow: number;
  visible: { start: number; end: number };
}): string {
  const { rows, firstRow, visible } = options;
  const [ids, setIds] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => {
      const indexes = Array.from({ length: visible.end - visible.start }, (_, index) => visible.start + index);
      const shown = indexes.flatMap((index) => rows.at(index - firstRow)?.id ?? []);
      setIds(shown.slice(0, mostInView).join());
    }, scrollPause);
    return () => clearTimeout(timer);
  }, [rows, firstRow, visible]);
  return ids;
}

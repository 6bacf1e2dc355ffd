/** The cached devices and the rows of their lists, which are changed in place. */
import { hashKey, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import type { Device, DevicePage, Resource } from '@swarmdeck/bff/contract';
import type { DeviceValues } from '../forms/device-fields.ts';
import { rowAfterSave } from './device-row.ts';
import { patchQueries } from './query-cache.ts';
import { queryKeys } from './query-keys.ts';
import { changedAt } from '../server-clock.ts';

/** Keeps the ETag of the older state: saving then gets a 412, reads the device again and merges. */
export function patchResource(client: QueryClient, resource: Resource) {
  patchQueries<{ resource: Resource; at: string }>(client, queryKeys.device.record(resource.id), (read) =>
    changedAt(read.resource) < changedAt(resource) ? { ...read, resource, at: changedAt(resource) } : read,
  );
}

type DevicePages = InfiniteData<DevicePage>;

/** What has changed since a list was read. Its pages stay as they are, so that rows keep their place. */
export interface DeviceChanges {
  /** The newest counts that are known; undefined if they are those of the list. */
  counts?: Omit<DevicePage, 'items' | 'next' | 'at'> | undefined;
  /** The latest state of devices that have changed, in the list or not. */
  devices: ReadonlyMap<string, Device>;
}

/** The newest known state of a device, which the card of the selected one shows, or a list. */
export function cachedDevice(client: QueryClient, id: string): Device | undefined {
  const selected = client.getQueryData<Device | null>(queryKeys.device.row(id));
  if (selected) return selected;
  const changes = client.getQueriesData<DeviceChanges>({ queryKey: queryKeys.devices.changes });
  const lists = client.getQueriesData<DevicePages>({ queryKey: queryKeys.devices.lists });
  const pages = lists.flatMap(([, data]) => data?.pages ?? []);
  const found = [
    ...changes.flatMap(([, data]) => data?.devices.get(id) ?? []),
    ...pages.flatMap(({ items }) => items.filter((device) => device.id === id)),
  ];
  return found.toSorted((a, b) => (a.changed_at < b.changed_at ? 1 : -1))[0];
}

/** The device with other values. What it has reported is about its old position. */
export function withValues<Shown extends Resource>(device: Shown, values: Partial<DeviceValues>): Shown {
  const { positioned_at: _at, accuracy: _accuracy, ...rest } = device;
  return { ...('position' in values ? rest : device), ...values } as Shown;
}

/** What becomes of the rows of some devices; null: they are removed. */
interface RowChange {
  ids: ReadonlySet<string>;
  change: ((row: Device) => Device) | null;
}

/** Returns the same rows if none of them changes. */
function changedRows(rows: readonly Device[], { ids, change }: RowChange): readonly Device[] {
  if (!rows.some(({ id }) => ids.has(id))) return rows;
  return rows.flatMap((row) => (ids.has(row.id) ? (change?.(row) ?? []) : row));
}

/** Changes devices wherever one is shown as in a list: in the lists, in what has changed since these were read, and in its card. */
function forEachRow(client: QueryClient, rowChange: RowChange) {
  const { ids, change } = rowChange;
  /** The ids that leave each list, by the key of its changes. */
  const removed = new Map<string, string[]>();
  patchQueries<DevicePages>(client, queryKeys.devices.lists, (data) => {
    const listed = data.pages.flatMap(({ items }) => items.filter(({ id }) => ids.has(id)));
    if (listed.length === 0) return data;
    const gone = new Set(change ? [] : listed.map(({ id }) => id));
    removed.set(hashKey(queryKeys.devices.changesSince(data.pages[0]?.at)), [...gone]);
    const pages = data.pages.map((page) => ({
      ...page,
      total: page.total - gone.size,
      items: [...changedRows(page.items, rowChange)],
    }));
    return { ...data, pages };
  });
  patchChanges(client, rowChange, removed);
  patchQueries<Device | null>(client, queryKeys.device.rows, (row, key) => {
    // The card of a member of a swarm has more, and is fetched again.
    if (!row || hashKey(key) !== hashKey(queryKeys.device.row(row.id))) return row;
    return changedRows([row], rowChange)[0] ?? null;
  });
}

/** `removed`: what leaves the lists, and so is no longer in their newest counts either. */
function patchChanges(client: QueryClient, rowChange: RowChange, removed?: ReadonlyMap<string, string[]>) {
  patchQueries<DeviceChanges>(client, queryKeys.devices.changes, (changes, key) => {
    const before = [...changes.devices.values()];
    const rows = changedRows(before, rowChange);
    const devices = rows === before ? changes.devices : new Map(rows.map((row) => [row.id, row]));
    const left = before.flatMap(({ id }) => (devices.has(id) ? [] : [id]));
    const gone = removed ? new Set([...left, ...(removed.get(hashKey(key)) ?? [])]).size : 0;
    if (rows === before && gone === 0) return changes;
    const { counts } = changes;
    return { counts: counts && { ...counts, total: counts.total - gone }, devices };
  });
}

export const patchDeviceRows = (client: QueryClient, ids: ReadonlySet<string>, change: (row: Device) => Device) =>
  forEachRow(client, { ids, change });

export const patchDeviceRow = (client: QueryClient, resource: Resource) =>
  forEachRow(client, { ids: new Set([resource.id]), change: (row) => rowAfterSave(row, resource) });

/** Shows changed values that the server does not have yet. The next response replaces them. */
export function patchDeviceValues(client: QueryClient, id: string, values: Partial<DeviceValues>) {
  patchQueries<{ resource: Resource }>(client, queryKeys.device.record(id), (read) => ({
    ...read,
    resource: withValues(read.resource, values),
  }));
  forEachRow(client, { ids: new Set([id]), change: (row) => withValues(row, values) });
}

export const removeDeviceRows = (client: QueryClient, ids: ReadonlySet<string>) =>
  forEachRow(client, { ids, change: null });

/** A device that was deleted elsewhere is no change of a list. Rows that were loaded stay in their places. */
export const forgetDeviceChanges = (client: QueryClient, ids: ReadonlySet<string>) =>
  patchChanges(client, { ids, change: null });

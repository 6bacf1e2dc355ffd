/** The cached devices and the rows of their lists, which are changed in place. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
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

/** Changes the row of a device in all lists. */
function patchRows(client: QueryClient, id: string, change: (row: Device) => Device) {
  patchQueries<DevicePages>(client, queryKeys.devices.lists, (data) => {
    if (!data.pages.some(({ items }) => items.some((row) => row.id === id))) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((row) => (row.id === id ? change(row) : row)),
    }));
    return { ...data, pages };
  });
  patchQueries<DeviceChanges>(client, queryKeys.devices.changes, (changes) => {
    const changed = changes.devices.get(id);
    return changed ? { ...changes, devices: new Map(changes.devices).set(id, change(changed)) } : changes;
  });
}

export const patchDeviceRow = (client: QueryClient, resource: Resource) =>
  patchRows(client, resource.id, (row) => rowAfterSave(row, resource));

/** The device with other values. What it has reported is about its old position. */
export function withValues<Shown extends Resource>(device: Shown, values: Partial<DeviceValues>): Shown {
  const { positioned_at: _at, accuracy: _accuracy, ...rest } = device;
  return { ...('position' in values ? rest : device), ...values } as Shown;
}

/** Shows changed values that the server does not have yet. The next response replaces them. */
export function patchDeviceValues(client: QueryClient, id: string, values: Partial<DeviceValues>) {
  patchQueries<{ resource: Resource }>(client, queryKeys.device.record(id), (read) => ({
    ...read,
    resource: withValues(read.resource, values),
  }));
  patchQueries<Device | null>(client, queryKeys.device.row(id), (row) => row && withValues(row, values));
  patchRows(client, id, (row) => withValues(row, values));
}

export function removeDeviceRows(client: QueryClient, ids: ReadonlySet<string>) {
  patchQueries<DevicePages>(client, queryKeys.devices.lists, (data) => {
    const removed = new Set(data.pages.flatMap(({ items }) => items.map(({ id }) => id)).filter((id) => ids.has(id)));
    if (removed.size === 0) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      total: page.total - removed.size,
      items: page.items.filter(({ id }) => !removed.has(id)),
    }));
    return { ...data, pages };
  });
}

/** A deleted device is no change of a list. Rows that were loaded stay in their places. */
export function forgetDeviceChanges(client: QueryClient, ids: ReadonlySet<string>) {
  patchQueries<DeviceChanges>(client, queryKeys.devices.changes, (changes) => {
    const devices = new Map([...changes.devices].filter(([id]) => !ids.has(id)));
    return devices.size < changes.devices.size ? { ...changes, devices } : changes;
  });
}

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

/** A device of the lists, or of the card of the selected one. */
export function cachedDevice(client: QueryClient, id: string): Device | undefined {
  const selected = client.getQueryData<Device | null>(queryKeys.device.row(id));
  if (selected) return selected;
  const lists = client.getQueriesData<DevicePages>({ queryKey: queryKeys.devices.lists });
  const pages = lists.flatMap(([, data]) => data?.pages ?? []);
  return pages.flatMap(({ items }) => items.filter((device) => device.id === id))[0];
}

export function patchDeviceRow(client: QueryClient, resource: Resource) {
  patchQueries<DevicePages>(client, queryKeys.devices.lists, (data) => {
    if (!data.pages.some(({ items }) => items.some(({ id }) => id === resource.id))) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((row) => (row.id === resource.id ? rowAfterSave(row, resource) : row)),
    }));
    return { ...data, pages };
  });
}

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
  const device = cachedDevice(client, id);
  if (device) patchDeviceRow(client, withValues(device, values));
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

import { pathTo } from '../../../data/path-to.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { Device } from '@swarmdeck/bff/contract';
import { readPages } from '../../../data/read-pages.ts';
import type { DeviceSelection } from '../../../data/device-selection.ts';
import type { Bbox } from '../../../data/filter-params.ts';
import { countGroups } from '../../../shared/count-list.tsx';
import { isSelected } from '../../../ui/lists/selection.ts';
import { deviceQuery } from '../../../data/cache/device-query.ts';
import { devicePages } from './selected-devices.api.ts';

/** As much of a selected device as actions need. */
export type SelectedDevice = Pick<
  Device,
  'id' | 'user_id' | 'name' | 'machine_type' | 'description' | 'position' | 'swarms' | 'changed_at'
>;

/** Up to so many devices are read one by one. More of them are found in the list of all devices. */
const readSingly = 20;

const partOf = ({
  id,
  user_id,
  name,
  machine_type,
  description,
  position,
  swarms,
  changed_at,
}: Device): SelectedDevice => ({
  id,
  user_id,
  name,
  machine_type,
  swarms,
  changed_at,
  ...(description !== undefined && { description }),
  ...(position && { position }),
});

interface ReadSelectedOptions {
  client: QueryClient;
  selection: Pick<DeviceSelection, 'all' | 'ids' | 'filters'>;
  /** With `all`: only the devices in this part of the map. */
  bbox?: Bbox | null;
  /** The newest known state of a device that is in the list. */
  known(id: string): Device | undefined;
  /** No more are needed. */
  atMost?: number | undefined;
  signal: AbortSignal;
  onProgress(read: number): void;
}

/** The selected devices as they are now. Those that no longer exist are left out. */
export async function readSelected({
  client,
  selection,
  bbox = null,
  known,
  atMost = Infinity,
  signal,
  onProgress,
}: ReadSelectedOptions): Promise<SelectedDevice[]> {
  const found = new Map<string, SelectedDevice>();
  const take = (device: Device) => isSelected(selection, device.id) && found.set(device.id, partOf(device));
  const missing: string[] = [];
  if (!selection.all) {
    for (const id of [...selection.ids].slice(0, atMost)) {
      const device = known(id);
      if (device) take(device);
      else missing.push(id);
    }
    if (missing.length <= readSingly) {
      const read = await Promise.all(missing.map((id) => client.fetchQuery(deviceQuery(id))));
      for (const device of read) if (device) take(device);
      return [...found.values()];
    }
  }
  for await (const { items } of devicePages({
    ...(selection.all ? { filters: selection.filters, bbox } : { filters: {} }),
    signal,
  })) {
    for (const device of items) take(device);
    onProgress(found.size);
    if (found.size >= (selection.all ? atMost : Math.min(atMost, selection.ids.size))) break;
  }
  return [...found.values()].slice(0, atMost);
}

/** So many open invitations are read at most: 25 requests. */
const mostInvitations = 5000;

interface CountInvitationsOptions {
  devices: readonly SelectedDevice[];
  signal: AbortSignal;
}

/** How many open invitations are for these devices. `isMore`: there may be more of them. */
export async function countInvitations({
  devices,
  signal,
}: CountInvitationsOptions): Promise<{ count: number; isMore: boolean }> {
  const ids = new Set(devices.map(({ id }) => id));
  let [count, read] = [0, 0];
  const pathOf = (cursor: string) =>
    pathTo('/api/inbox', {}, new URLSearchParams({ box: 'received', state: 'new', limit: '200', cursor }));
  for await (const { items, next } of readPages({ pathOf, signal })) {
    count += items.filter(({ resource_id }) => ids.has(resource_id)).length;
    read += items.length;
    if (next !== null && read >= mostInvitations) return { count, isMore: true };
  }
  return { count, isMore: false };
}

/** The swarms of the devices, each with the number of its devices. The largest comes first. */
export const swarmsOf = (devices: readonly SelectedDevice[]) => countGroups(devices.flatMap(({ swarms }) => swarms));

/** The own devices that wait for the server, as lists and maps show devices. */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Device, Resource } from '@swarmdeck/bff/contract';
import { cachedDevice } from '../cache/cached-devices.ts';
import { queryKeys } from '../cache/query-keys.ts';
import { oncePerClient, userOf } from '../of-client.ts';
import { changedAt, serverTime } from '../server-clock.ts';
import { useOutbox } from './outbox.ts';
import type { OutboxEntry } from './outbox-entry.ts';

export interface WaitingDevice {
  device: Device;
  /** The server does not have it. Its id is that of its entry. */
  isNew: boolean;
}

/** Devices to be added, and edited ones as far as this browser knows them; not those that have failed. */
export function waitingDevices(client: QueryClient, entries: readonly OutboxEntry[]): WaitingDevice[] {
  return entries.flatMap(({ id, user_id, at, task, failure }): WaitingDevice[] => {
    if (failure || task.type === 'action') return [];
    if (task.type === 'create') {
      const created = { ...task.device, id, user_id, created_at: new Date(serverTime(at)).toISOString() };
      return [{ device: rowOf(created), isNew: true }];
    }
    const device = knownDevice(client, task.device.id);
    return device ? [{ device, isNew: false }] : [];
  });
}

/** The ids that the server has given to the devices that this tab has sent, by their ids while they waited. */
export const sentDevicesOf = oncePerClient(() => new Map<string, string>());

/** Call it when the server has a device that waited. Its card shows it at once, and reads what else is known of it. */
export function noteSentDevice({ client, waited, device }: { client: QueryClient; waited: string; device: Resource }) {
  sentDevicesOf({ client }).set(waited, device.id);
  client.setQueryData(queryKeys.device.row(device.id), rowOf(device), { updatedAt: 0 });
}

function knownDevice(client: QueryClient, id: string): Device | undefined {
  const read = client.getQueryData<{ resource: Resource }>(queryKeys.device.record(id));
  return cachedDevice(client, id) ?? (read && rowOf(read.resource));
}

const rowOf = (resource: Resource): Device => ({
  ...resource,
  changed_at: changedAt(resource),
  presence: { state: 'never' },
  swarms: [],
});

export function useWaitingDevices(): WaitingDevice[] {
  const client = useQueryClient();
  return waitingDevices(client, useOutbox(userOf(client)));
}

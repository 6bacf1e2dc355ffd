/** The map without the server: the devices of the lists that this browser has stored, as the server would show them. */
import type { QueryClient } from '@tanstack/react-query';
import type { Device, DeviceFilters, MapView, MemberRole } from '@swarmdeck/bff/contract';
import { mapOfList, type ListedDevice } from '@swarmdeck/bff/map-of-list';
import { isKnownOfRows, matches, storedDevices, swarmOf, type StoredDevices } from '../../data/cache/stored-devices.ts';
import type { WaitingDevice } from '../../data/outbox/waiting-devices.ts';
import type { Viewport } from './map.api.ts';

/** `all`: how many devices there are, also those that no stored list has. */
export type StoredMap = MapView & { all: number };

/** Null if no list that has such devices is stored, and none waits. */
export function storedMap(options: {
  client: QueryClient;
  filters: DeviceFilters;
  viewport: Viewport;
  waiting?: readonly WaitingDevice[];
}): StoredMap | null {
  const { client, filters, viewport, waiting = [] } = options;
  if (!isKnownOfRows(filters)) return null;
  const isOfSwarm = swarmOf(filters.audience) !== undefined;
  const read = storedDevices(client, filters.audience);
  const { devices, all } = withWaiting(read ?? { devices: [], all: 0 }, isOfSwarm ? [] : waiting);
  if (devices.length === 0 && (!read || all > 0)) return null;
  const swarm = swarmOf(filters.audience);
  const listed = devices.map((device): ListedDevice & Device => {
    const role = swarm === undefined ? undefined : roleIn(device, swarm);
    return { ...device, ...(role && { resource_type: role }) };
  });
  const hasRoles = swarm !== undefined;
  const shown = listed.filter((device) => matches(device, filters)).map(shownOf);
  return { ...mapOfList({ devices: shown, hasRoles, ...viewport }), all };
}

/** What a symbol of the server has of a device. */
function shownOf({
  id,
  name,
  machine_type,
  resource_type,
  changed_at,
  presence,
  position,
}: ListedDevice): ListedDevice {
  return { id, name, machine_type, changed_at, presence, position, ...(resource_type && { resource_type }) };
}

function roleIn(device: Device & { resource_type?: MemberRole }, swarm: string): MemberRole | undefined {
  return device.resource_type ?? device.swarms.find(({ id }) => id === swarm)?.resource_type;
}

/** Own devices that no stored list has. The server has only counted those that are not new. */
function withWaiting({ devices, all }: StoredDevices, waiting: readonly WaitingDevice[]): StoredDevices {
  const known = new Set(devices.map(({ id }) => id));
  const more = waiting.filter(({ device }) => !known.has(device.id));
  const shown = [...devices, ...more.map(({ device }) => device)];
  const added = more.filter(({ isNew }) => isNew).length;
  return { devices: shown, all: Math.max(all + added, shown.length) };
}

/** The map without the server: the devices of the lists that this browser has stored, as the server would show them. */
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Device, DeviceFilters, DevicePage, MapView, MemberRole } from '@swarmdeck/bff/contract';
import { mapOfList, type ListedDevice } from '@swarmdeck/bff/map-of-list';
import { mayBeginId, searchText, searchWords } from '@swarmdeck/bff/search-text';
import { userOf } from '../../data/of-client.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import type { WaitingDevice } from '../../data/outbox/waiting-devices.ts';
import type { Viewport } from './map.api.ts';

/** `all`: how many devices there are, also those that no stored list has. */
export type StoredMap = MapView & { all: number };

interface StoredDevices {
  devices: Device[];
  all: number;
}

/** Null if no list that has such devices is stored, and none waits. */
export function storedMap(options: {
  client: QueryClient;
  filters: DeviceFilters;
  viewport: Viewport;
  waiting?: readonly WaitingDevice[];
}): StoredMap | null {
  const { client, filters, viewport, waiting = [] } = options;
  // No stored row says which these are.
  if (filters.action || filters.value) return null;
  const isOfSwarm = swarmOf(filters.audience) !== undefined;
  const read = devicesOf(client, filters.audience);
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

const swarmOf = (audience: string) => (audience.startsWith('swarm:') ? audience.slice('swarm:'.length) : undefined);

function roleIn(device: Device & { resource_type?: MemberRole }, swarm: string): MemberRole | undefined {
  return device.resource_type ?? device.swarms.find(({ id }) => id === swarm)?.resource_type;
}

/** Null if no list of them is stored. */
function devicesOf(client: QueryClient, audience: string): StoredDevices | null {
  const swarm = swarmOf(audience);
  const members = swarm === undefined ? null : distinct(pagesOf(client, queryKeys.swarm.members(swarm)));
  if (members) return members;
  const own = userOf(client);
  const listed = distinct(pagesOf(client, queryKeys.devices.lists));
  if (!listed) return null;
  const { devices, all } = listed;
  if (swarm !== undefined) {
    const known = devices.filter(({ swarms }) => swarms.some(({ id }) => id === swarm));
    return known.length > 0 ? { devices: known, all: known.length } : null;
  }
  return audience === 'own' ? { devices: devices.filter(({ user_id }) => user_id === own), all } : { devices, all };
}

/** Own devices that no stored list has. The server has only counted those that are not new. */
function withWaiting({ devices, all }: StoredDevices, waiting: readonly WaitingDevice[]): StoredDevices {
  const known = new Set(devices.map(({ id }) => id));
  const more = waiting.filter(({ device }) => !known.has(device.id));
  const shown = [...devices, ...more.map(({ device }) => device)];
  const added = more.filter(({ isNew }) => isNew).length;
  return { devices: shown, all: Math.max(all + added, shown.length) };
}

/** The stored pages, the one that was read last first. */
function pagesOf(client: QueryClient, queryKey: QueryKey): DevicePage[] {
  const pages = client
    .getQueriesData<InfiniteData<DevicePage> | DevicePage>({ queryKey })
    .flatMap(([, data]) => (data && 'pages' in data ? data.pages : []));
  return pages.filter(({ items }) => Array.isArray(items)).toSorted((one, other) => (one.at < other.at ? 1 : -1));
}

function distinct(pages: readonly DevicePage[]): StoredDevices | null {
  if (pages.length === 0) return null;
  const devices = new Map<string, Device>();
  for (const device of pages.flatMap(({ items }) => items)) if (!devices.has(device.id)) devices.set(device.id, device);
  return {
    devices: [...devices.values()],
    all: Math.max(devices.size, ...pages.map(({ facets }) => facets?.all ?? 0)),
  };
}

function matches(device: ListedDevice & Device, filters: DeviceFilters): boolean {
  const { machine_type, resource_type, presence, swarm, placed, refused, q } = filters;
  const texts = [device.name, device.description ?? ''].map(searchText);
  return (
    (!machine_type?.length || machine_type.includes(device.machine_type)) &&
    (!resource_type?.length || (device.resource_type !== undefined && resource_type.includes(device.resource_type))) &&
    (!presence?.length || presence.includes(device.presence.state)) &&
    (!swarm || (swarm === 'none' ? device.swarms.length === 0 : device.swarms.some(({ id }) => id === swarm))) &&
    (!refused || device.refusals !== undefined) &&
    (!placed || (placed === 'yes') === (device.position !== undefined)) &&
    searchWords(q ?? '').every(
      (word) => texts.some((text) => text.includes(word)) || (mayBeginId(word) && device.id.startsWith(word)),
    )
  );
}

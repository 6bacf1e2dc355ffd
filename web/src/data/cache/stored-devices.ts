/** The devices of the lists that this browser has stored: without the server, the map and the list find the same in them. */
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Device, DeviceFilters, DevicePage, MemberRole, Position } from '@swarmdeck/bff/contract';
import { mayBeginId, nameKey, searchText, searchWords } from '@swarmdeck/bff/search-text';
import { userOf } from '../of-client.ts';
import { queryKeys } from './query-keys.ts';

export interface StoredDevices {
  devices: Device[];
  all: number;
}

export const swarmOf = (audience: string) =>
  audience.startsWith('swarm:') ? audience.slice('swarm:'.length) : undefined;

/** Null if no list of them is stored. */
export function storedDevices(client: QueryClient, audience: string): StoredDevices | null {
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

/** False if no row says which devices the filters mean. */
export const isKnownOfRows = ({ action, value }: DeviceFilters): boolean => !action && !value;

/** Whether the server would list the device. */
export function matches(device: Device & { resource_type?: MemberRole }, filters: DeviceFilters): boolean {
  const { machine_type, resource_type, presence, swarm, placed, refused, bbox, q } = filters;
  const texts = [device.name, device.description ?? ''].map(searchText);
  return (
    (!machine_type?.length || machine_type.includes(device.machine_type)) &&
    (!resource_type?.length || (device.resource_type !== undefined && resource_type.includes(device.resource_type))) &&
    (!presence?.length || presence.includes(device.presence.state)) &&
    (!swarm || (swarm === 'none' ? device.swarms.length === 0 : device.swarms.some(({ id }) => id === swarm))) &&
    (!refused || device.refusals !== undefined) &&
    (!placed || (placed === 'yes') === (device.position !== undefined)) &&
    (!bbox || isWithin(device.position, bbox)) &&
    searchWords(q ?? '').every(
      (word) => texts.some((text) => text.includes(word)) || (mayBeginId(word) && device.id.startsWith(word)),
    )
  );
}

function isWithin(
  position: Position | undefined,
  [west, south, east, north]: readonly [number, number, number, number],
): boolean {
  if (!position) return false;
  const { longitude, latitude } = position;
  // it may cross the antimeridian
  const isBetween = west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return isBetween && latitude >= south && latitude <= north;
}

/** What the list would show with these filters, of what is stored, by name. Null if nobody knows. */
export function storedPage({ client, filters }: { client: QueryClient; filters: DeviceFilters }): DevicePage | null {
  const stored = isKnownOfRows(filters) ? storedDevices(client, filters.audience) : null;
  const [newest] = pagesOf(client, queryKeys.devices.lists);
  if (!stored || !newest) return null;
  const items = stored.devices
    .filter((device) => matches(device, filters))
    .toSorted((one, other) => (nameKey(one.name) < nameKey(other.name) ? -1 : 1));
  return { ...newest, items, next: null, offset: 0, total: items.length };
}

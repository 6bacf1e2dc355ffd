import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DevicePage, SwarmList } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { bestFirst } from './match.ts';

/** More results are in the device list. */
const shownDevices = 6;
/** The results that are ranked: the server also matches owners and descriptions, and sorts by name. */
const readDevices = 50;
const shownSwarms = 4;

/** The first matching devices of all that the user can see, and their number. The response is small for any number. */
export function foundDevicesQuery(q: string) {
  const params = new URLSearchParams({ audience: 'visible', q, limit: String(readDevices) });
  return queryOptions({
    queryKey: queryKeys.devices.found(q),
    queryFn: async ({ signal }) => (await send<DevicePage>({ path: `/api/devices?${params}`, signal })).data,
    enabled: q !== '',
    placeholderData: keepPreviousData,
    select: (page) => ({ ...page, items: bestFirst({ typed: q, items: page.items }).slice(0, shownDevices) }),
  });
}

export function foundSwarmsQuery(q: string) {
  const params = new URLSearchParams({ q, limit: String(shownSwarms) });
  return queryOptions({
    queryKey: queryKeys.swarms.found(q),
    queryFn: async ({ signal }) => (await send<SwarmList>({ path: `/api/swarm-list?${params}`, signal })).data,
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
}

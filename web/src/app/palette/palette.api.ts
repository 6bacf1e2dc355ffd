import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DevicePage, SwarmList } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';

/** More than this is what lists are for. */
const shownDevices = 6;
const shownSwarms = 4;

/** The first devices that match, of all one may see, and how many there are: never more, however many match. */
export function foundDevicesQuery(q: string) {
  const params = new URLSearchParams({ audience: 'visible', q, limit: String(shownDevices) });
  return queryOptions({
    queryKey: ['devices', 'found', q],
    queryFn: async ({ signal }) => (await send<DevicePage>({ path: `/api/devices?${params}`, signal })).data,
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
}

export function foundSwarmsQuery(q: string) {
  const params = new URLSearchParams({ q, limit: String(shownSwarms) });
  return queryOptions({
    queryKey: ['swarms', 'found', q],
    queryFn: async ({ signal }) => (await send<SwarmList>({ path: `/api/swarm-list?${params}`, signal })).data,
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
}

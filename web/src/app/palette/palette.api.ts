import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DevicePage, SwarmList } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { bestFirst } from './match.ts';

/** More than this is what lists are for. */
const shownDevices = 6;
/** What those are chosen from: the server finds owners and descriptions too, and sorts by name. */
const readDevices = 50;
const shownSwarms = 4;
/** One letter says nothing about where to go. */
const shortestPlace = 2;

/** The first devices that match, of all one may see, and how many there are: never more, however many match. */
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

/** Found in files that the browser keeps: nobody is told where one looks. */
export function foundPlacesQuery(word: string) {
  return queryOptions({
    queryKey: queryKeys.foundPlaces(word),
    queryFn: async () => (await import('./found-places.ts')).findPlaces(word),
    enabled: word.length >= shortestPlace,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
    networkMode: 'always',
  });
}

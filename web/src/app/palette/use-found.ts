import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { foundPlacesQuery } from '../../data/places/found-places.api.ts';
import type { FoundPlace } from '../../data/places/found-places.ts';
import { readPair, readPosition } from '../../features/devices/form/coordinates.ts';
import { formatPosition } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { read } from '../../data/client.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { bestFirst } from './match.ts';

/** In ms after the last key: long enough to type a word, short enough to feel immediate. */
const pause = 120;

/** Extracts the place of "Go to Nairobi", because users may type an option as it is offered. */
function placeIn(typed: string): string {
  const prefix = t.palette.go('');
  return typed.toLowerCase().startsWith(prefix.toLowerCase()) ? typed.slice(prefix.length).trim() : typed;
}

/** A street fills the map. */
const positionZoom = 15;

/** Typed coordinates as a place. */
function positionIn(typed: string): FoundPlace[] | undefined {
  const pair = readPair(placeIn(typed));
  const position = pair && readPosition(pair);
  if (!position) return undefined;
  const { latitude: lat, longitude: lng } = position;
  return [{ id: 'position', name: formatPosition(position), view: { zoom: positionZoom, lat, lng } }];
}

/** The search results for a word: devices and swarms from the server, places from local files. Debounced. */
export function useFound(word: string) {
  const [searched, setSearched] = useState('');
  useEffect(() => {
    const timer = setTimeout(setSearched, word === '' ? 0 : pause, word);
    return () => clearTimeout(timer);
  }, [word]);
  const devices = useQuery(foundDevicesQuery(searched));
  const swarms = useQuery(foundSwarmsQuery(searched));
  const places = useQuery(foundPlacesQuery(placeIn(searched)));
  const both = [devices, swarms];
  const shown = word !== '' && searched !== '';
  const position = positionIn(word);
  return {
    devices: shown ? devices.data : undefined,
    swarms: shown ? swarms.data : undefined,
    places: position ?? (shown && places.isEnabled ? places.data : undefined),
    /** The results belong to the current text, or no more will arrive. */
    settled:
      word === searched &&
      !places.isFetching &&
      (word === '' || both.every((query) => query.isError || (query.isSuccess && !query.isPlaceholderData))),
    error: shown ? (devices.error ?? swarms.error) : null,
    refetch: () => {
      for (const query of both) void query.refetch();
    },
  };
}

/** More results are in the device list. */
const shownDevices = 6;
/** The results that are ranked: the server also matches owners and descriptions, and sorts by name. */
const readDevices = 50;
const shownSwarms = 4;

/** The first matching devices of all that the user can see, and their number. The response is small for any number. */
function foundDevicesQuery(q: string) {
  const params = new URLSearchParams({ audience: 'visible', q, limit: String(readDevices) });
  return queryOptions({
    queryKey: queryKeys.devices.found(q),
    queryFn: ({ signal }) => read('/api/devices', {}, { query: params, signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    select: (page) => ({ ...page, items: bestFirst({ typed: q, items: page.items }).slice(0, shownDevices) }),
  });
}

function foundSwarmsQuery(q: string) {
  const params = new URLSearchParams({ q, limit: String(shownSwarms) });
  return queryOptions({
    queryKey: queryKeys.swarms.found(q),
    queryFn: ({ signal }) => read('/api/swarm-list', {}, { query: params, signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
}

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { foundPlacesQuery } from '../../api/found-places.api.ts';
import { t } from '../../text/text.ts';
import { foundDevicesQuery, foundSwarmsQuery } from './palette.api.ts';

/** In ms after the last key: long enough to type a word, short enough to feel immediate. */
const pause = 120;

/** Extracts the place of "Go to Nairobi", because users may type an option as it is offered. */
function placeIn(typed: string): string {
  const prefix = t.palette.go('');
  return typed.toLowerCase().startsWith(prefix.toLowerCase()) ? typed.slice(prefix.length).trim() : typed;
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
  return {
    devices: shown ? devices.data : undefined,
    swarms: shown ? swarms.data : undefined,
    places: shown && places.isEnabled ? places.data : undefined,
    /** The results belong to the current text, or no more will arrive. */
    settled:
      word === searched &&
      !places.isFetching &&
      (word === '' || both.every((query) => query.isError || (query.isSuccess && !query.isPlaceholderData))),
    error: shown ? (devices.error ?? swarms.error) : null,
    retry: () => {
      for (const query of both) void query.refetch();
    },
  };
}

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../../text/text.ts';
import { foundDevicesQuery, foundPlacesQuery, foundSwarmsQuery } from './palette.api.ts';

/** In ms after the last key: long enough to type a word, short enough to feel immediate. */
const pause = 120;

/** "Go to Nairobi" may be typed as it is offered. */
function placeIn(typed: string): string {
  const said = t.palette.go('');
  return typed.toLowerCase().startsWith(said.toLowerCase()) ? typed.slice(said.length).trim() : typed;
}

/** What is found for a word, a moment after it was typed: devices and swarms by the server, places right here. */
export function useFound(word: string) {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(setAsked, word === '' ? 0 : pause, word);
    return () => clearTimeout(timer);
  }, [word]);
  const devices = useQuery(foundDevicesQuery(asked));
  const swarms = useQuery(foundSwarmsQuery(asked));
  const places = useQuery(foundPlacesQuery(placeIn(asked)));
  const both = [devices, swarms];
  const shown = word !== '' && asked !== '';
  return {
    devices: shown ? devices.data : undefined,
    swarms: shown ? swarms.data : undefined,
    places: shown && places.isEnabled ? places.data : undefined,
    /** What is shown belongs to what was typed, or nothing more will come. */
    settled:
      word === asked &&
      !places.isFetching &&
      (word === '' || both.every((query) => query.isError || (query.isSuccess && !query.isPlaceholderData))),
    error: shown ? (devices.error ?? swarms.error) : null,
    retry: () => {
      for (const query of both) void query.refetch();
    },
  };
}

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { foundDevicesQuery, foundSwarmsQuery } from './palette.api.ts';

/** Long enough for a word to be typed, short enough to feel like one with the list. */
const pause = 120;

/** What the server finds for a word, a moment after it was typed. */
export function useFound(word: string) {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(setAsked, word === '' ? 0 : pause, word);
    return () => clearTimeout(timer);
  }, [word]);
  const devices = useQuery(foundDevicesQuery(asked));
  const swarms = useQuery(foundSwarmsQuery(asked));
  const both = [devices, swarms];
  const shown = word !== '' && asked !== '';
  return {
    devices: shown ? devices.data : undefined,
    swarms: shown ? swarms.data : undefined,
    /** What is shown belongs to what was typed, or nothing more will come. */
    settled:
      word === asked &&
      (word === '' || both.every((query) => query.isError || (query.isSuccess && !query.isPlaceholderData))),
    error: shown ? (devices.error ?? swarms.error) : null,
    retry: () => {
      for (const query of both) void query.refetch();
    },
  };
}

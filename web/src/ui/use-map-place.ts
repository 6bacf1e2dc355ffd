import { useEffect, useEffectEvent, useRef } from 'react';
import { readMapPlace, writeMapPlace } from './map-place.ts';
import type { MapPlace } from './map-place.ts';

/**
 * Keeps a map and the `map` of its address at the same place: the answer writes where the map was left, and `go` is
 * told where an address leads that somebody else wrote, a saved view or the way back from one.
 */
export function useMapPlace({
  text,
  write,
  go,
}: {
  /** `map` of the address, as the page has it. */
  text: string | null;
  write(text: string): void;
  go(place: MapPlace): void;
}): (place: MapPlace) => void {
  const left = useRef(text);
  const follow = useEffectEvent((text: string | null) => {
    const place = readMapPlace(text);
    // the page may be a moment behind its address: a map that goes on moving is not fetched back
    const isNow = text === new URLSearchParams(location.search).get('map');
    if (place && isNow && text !== left.current) go(place);
  });
  useEffect(() => follow(text), [text]);
  return (place) => {
    left.current = writeMapPlace(place);
    write(left.current);
  };
}

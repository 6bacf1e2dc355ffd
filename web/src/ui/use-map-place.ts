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
  const isThere = useRef(false);
  /** Whether it goes anywhere. */
  function follow(): boolean {
    if (!isThere.current) return false;
    // the page may be a moment behind its address: a map that goes on moving is not fetched back
    const address = new URLSearchParams(location.search).get('map');
    const place = address === left.current ? null : readMapPlace(address);
    left.current = address;
    if (place) go(place);
    return place !== null;
  }
  const followNow = useEffectEvent((_written: string | null) => void follow());
  useEffect(() => followNow(text), [text]);
  return (place) => {
    isThere.current = true;
    // at rest where it was, while it is sent elsewhere: before the page could tell it, or before it was there
    if (follow()) return;
    left.current = writeMapPlace(place);
    write(left.current);
  };
}

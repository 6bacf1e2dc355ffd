import { useEffect, useEffectEvent, useRef } from 'react';

/** `map=z/lat/lng` of the URL: where the map was left. Five decimals are a metre. */
export interface MapPlace {
  lat: number;
  lng: number;
  zoom: number;
}

export function readMapPlace(text: string | null): MapPlace | null {
  const parts = text?.split('/').map((part) => (part.trim() === '' ? Number.NaN : Number(part))) ?? [];
  const [zoom, lat, lng] = parts;
  if (parts.length !== 3 || zoom === undefined || lat === undefined || lng === undefined) return null;
  if (!parts.every(Number.isFinite) || zoom < 0 || zoom > 22 || Math.abs(lat) > 90) return null;
  return { zoom, lat, lng };
}

export function writeMapPlace({ lat, lng, zoom }: MapPlace): string {
  return [zoom.toFixed(2), lat.toFixed(5), lng.toFixed(5)].map((part) => String(Number(part))).join('/');
}

/** Whether a position lies in a box of west, south, east and north, edges included; west > east crosses the antimeridian. */
export function isInside(
  [west, south, east, north]: readonly [number, number, number, number],
  { longitude, latitude }: { longitude: number; latitude: number },
): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

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

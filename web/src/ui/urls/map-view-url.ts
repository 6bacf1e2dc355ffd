import { useEffect, useEffectEvent, useRef } from 'react';
import { isRightToLeft } from '../../text/language.ts';

/** A map view in the URL: `map=z/lat/lng`, with five decimals, about a metre. */
export interface MapUrlView {
  lat: number;
  lng: number;
  zoom: number;
}

/** The least zoom at which a requested place is shown. */
export const NEAR = 12;

/** What a page can do with its map. */
export interface MapHandle {
  fit(): void;
  flyTo(position: { latitude: number; longitude: number }, zoom?: number): void;
  focus(): void;
  /** Moves the selected device out from under what covers it. */
  uncover(): void;
  /** Whether the device is drawn, and not in a cluster. */
  isSingle(id: string): boolean;
}

/** Null: to all. */
export function goTo(map: MapHandle | null, place: MapUrlView | null): void {
  if (place) map?.flyTo({ latitude: place.lat, longitude: place.lng }, place.zoom);
  else map?.fit();
}

/** How far the panels over a map cover it from its edges, in px. */
export type Insets = Record<'top' | 'right' | 'bottom' | 'left', number>;

/** `start` and `end`: of a line of text. */
export function insetsOf(covered: Partial<Record<'top' | 'bottom' | 'start' | 'end', number>>): Insets {
  const { top = 0, bottom = 0, start = 0, end = 0 } = covered;
  const [left, right] = isRightToLeft ? [end, start] : [start, end];
  return { top, right, bottom, left };
}

export function readMapView(text: string | null): MapUrlView | null {
  const parts = text?.split('/').map((part) => (part.trim() === '' ? Number.NaN : Number(part))) ?? [];
  const [zoom, lat, lng] = parts;
  if (parts.length !== 3 || zoom === undefined || lat === undefined || lng === undefined) return null;
  if (!parts.every(Number.isFinite) || zoom < 0 || zoom > 22 || Math.abs(lat) > 90) return null;
  return { zoom, lat, lng };
}

export function writeMapView({ lat, lng, zoom }: MapUrlView): string {
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

/** `isFitted`: the map shows all by itself; nobody has moved it. */
export type SettledView = MapUrlView & { isFitted?: boolean };

interface MapUrlViewOptions {
  /** `map` in the URL, as rendered. */
  text: string | null;
  write(text: string): void;
  /** Null: to all. */
  go(place: MapUrlView | null): void;
}

/**
 * Synchronises a map with `map` in the URL. Call the returned function when the map has settled: it writes the view to
 * the URL, unless the map shows all by itself: devices that come later are part of all. `go` is called with a view that
 * something else wrote there, such as a saved view or Back.
 */
export function useMapUrlView({ text, write, go }: MapUrlViewOptions): (place: SettledView) => void {
  const written = useRef(text);
  const isSettled = useRef(false);
  const isGoingToAll = useRef(false);
  /** Moves the map if the URL has another view. Returns whether it does. */
  function follow(): boolean {
    if (!isSettled.current) return false;
    // Reads the URL instead of the rendered value, so that a moving map is not moved back.
    const address = new URLSearchParams(location.search).get('map');
    if (address === written.current) return false;
    const place = readMapView(address);
    written.current = address;
    isGoingToAll.current = place === null;
    go(place);
    return true;
  }
  const followNow = useEffectEvent((_written: string | null) => void follow());
  useEffect(() => followNow(text), [text]);
  return (place) => {
    isSettled.current = true;
    const isAll = place.isFitted || isGoingToAll.current;
    isGoingToAll.current = false;
    // If the URL has another view meanwhile, that has priority.
    if (follow() || isAll) return;
    written.current = writeMapView(place);
    write(written.current);
  };
}

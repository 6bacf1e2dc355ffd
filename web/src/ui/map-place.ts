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

import type { Frame } from './trace.ts';

/**
 * Web Mercator in world units: x runs from 0 at 180° west to 1 at 180° east, y from 0 at the north edge to 1 at the
 * south edge. One world is 256 px wide at zoom 0.
 */
export const TILE = 256;

/** The latitude of the northern edge of the map. */
export const EDGE_LATITUDE = 85.0511287798066;

export function worldX(longitude: number): number {
  return longitude / 360 + 0.5;
}

export function worldY(latitude: number): number {
  const sine = Math.sin((Math.min(89.999, Math.max(-89.999, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The y of a latitude on the map. The poles, which the projection cannot show, are at the edges. */
export function shownY(latitude: number): number {
  return Math.min(1, Math.max(0, worldY(latitude)));
}

export function longitudeAt(x: number): number {
  return (x - 0.5) * 360;
}

export function latitudeAt(y: number): number {
  return (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI;
}

/** The box of a frame in degrees. `east` may be beyond 180. */
export function degreesOf({ scale, left, top, width, height }: Frame) {
  const west = longitudeAt(left / scale);
  return {
    west,
    east: Math.min(west + 360, longitudeAt((left + width) / scale)),
    south: latitudeAt((top + height) / scale),
    north: latitudeAt(top / scale),
  };
}

/** Normalizes a longitude to -180 up to 180. */
export function wrapLongitude(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

/** The equivalent longitude that is nearest to another one. */
export function longitudeNear(longitude: number, centre: number): number {
  return longitude + 360 * Math.round((centre - longitude) / 360);
}

/** The width of the world in pixels at a zoom. */
export function worldSize(zoom: number): number {
  return TILE * 2 ** zoom;
}

const EQUATOR = 40_075_016.686;

export function metresPerPixel({ latitude, zoom }: { latitude: number; zoom: number }): number {
  return (EQUATOR * Math.cos((latitude * Math.PI) / 180)) / worldSize(zoom);
}

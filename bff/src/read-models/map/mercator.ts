/** Web Mercator, https://epsg.io/3857, as fractions of the world's square: x eastward from -180°, y southward. */

/** The latitude of the edges of the square. Positions beyond are drawn on the edge. */
const latitudeLimit = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

export function toX(longitude: number): number {
  return longitude / 360 + 0.5;
}

export function toY(latitude: number): number {
  const clamped = Math.min(Math.max(latitude, -latitudeLimit), latitudeLimit);
  const sine = Math.sin((clamped * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** In -180 to 180, also for an `x` across the antimeridian. */
export function toLongitude(x: number): number {
  return (x - Math.floor(x) - 0.5) * 360;
}

export function toLatitude(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
}

/** The square of the world is a grid of 2^26 columns and rows, the finest level. A level has a quarter of the cells of the next. */
export const levels = 26;
export const side = 2 ** levels;

/** 180° is the last column, so that columns increase with longitudes within a cell. */
export function columnOf(longitude: number): number {
  return Math.min(Math.floor(toX(longitude) * side), side - 1);
}

export function rowOf(latitude: number): number {
  return Math.max(0, Math.min(Math.floor(toY(latitude) * side), side - 1));
}

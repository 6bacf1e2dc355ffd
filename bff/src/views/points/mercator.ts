/** Web Mercator, https://epsg.io/3857, as fractions of the world's square: x eastward from -180°, y southward. */

/** Where the square ends. What lies beyond is drawn on its edge. */
const latitudeLimit = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

export function toX(longitude: number): number {
  return longitude / 360 + 0.5;
}

export function toY(latitude: number): number {
  const clamped = Math.min(Math.max(latitude, -latitudeLimit), latitudeLimit);
  const sine = Math.sin((clamped * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** Between -180 and 180 also where `x` ran on over the antimeridian. */
export function toLongitude(x: number): number {
  return (x - Math.floor(x) - 0.5) * 360;
}

export function toLatitude(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
}

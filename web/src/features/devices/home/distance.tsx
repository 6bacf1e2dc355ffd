import type { Position } from '@swarmdeck/bff/contract';
import { formatDistance } from '../../../text/formats.ts';

const earthRadius = 6371;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** In km, on a sphere. */
export function distanceBetween(one: Position, other: Position): number {
  const [down, across] = [one.latitude - other.latitude, one.longitude - other.longitude].map(
    (degrees) => Math.sin(radians(degrees) / 2) ** 2,
  ) as [number, number];
  const chord = down + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * across;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** How far a device is from the point that the list is sorted by. `from`: latitude and longitude, separated by a comma. */
export function Distance({ from, to }: { from: string; to: Position }) {
  const [latitude = Number.NaN, longitude = Number.NaN] = from.split(',').map(Number);
  const kilometres = distanceBetween({ latitude, longitude }, to);
  return Number.isNaN(kilometres) ? null : <span className="numbers">{formatDistance(kilometres)}</span>;
}

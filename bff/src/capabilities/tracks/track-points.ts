/**
 * The points of a track as one text, which both stores append to and cut: each has the same number of characters. Numbers are
 * in base 36: the time in ms (until 2059), and both coordinates as counts of 0.00001 degrees (1.1 m) above their least.
 */
import type { Position, TrackPoint } from '../../contract.ts';

export const timeLength = 8;
const degreesLength = 5;
export const pointLength = timeLength + 2 * degreesLength;
const perDegree = 100_000;

const write = (value: number, length: number) => Math.round(value).toString(36).padStart(length, '0');
const read = (text: string, start: number, length: number) => Number.parseInt(text.slice(start, start + length), 36);

/** Texts of points are in the order of their times. */
export const writeTime = (ms: number): string => write(ms, timeLength);

export const writePoint = (ms: number, { longitude, latitude }: Position): string =>
  writeTime(ms) +
  write((longitude + 180) * perDegree, degreesLength) +
  write((latitude + 90) * perDegree, degreesLength);

/** The position as it is read back. */
export const roundedPosition = ({ longitude, latitude }: Position): Position => ({
  longitude: (Math.round((longitude + 180) * perDegree) - 180 * perDegree) / perDegree,
  latitude: (Math.round((latitude + 90) * perDegree) - 90 * perDegree) / perDegree,
});

/** The index at which the first point of this time (in ms) or later begins. */
export function startOf(points: string, from: number): number {
  const time = writeTime(from);
  let start = 0;
  while (start < points.length && points.slice(start, start + timeLength) < time) start += pointLength;
  return start;
}

export function readPoints(points: string, start: number): TrackPoint[] {
  const found: TrackPoint[] = [];
  for (let at = start; at < points.length; at += pointLength) {
    const [longitude, latitude] = [timeLength, timeLength + degreesLength].map((offset) =>
      read(points, at + offset, degreesLength),
    ) as [number, number];
    found.push({
      at: new Date(read(points, at, timeLength)).toISOString(),
      // Exact: the count of the units is rounded once.
      longitude: (longitude - 180 * perDegree) / perDegree,
      latitude: (latitude - 90 * perDegree) / perDegree,
    });
  }
  return found;
}

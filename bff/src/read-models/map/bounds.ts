import { emptyAggregates, type Aggregates } from './cells.ts';
import { levels } from './mercator.ts';

export type Box = [west: number, south: number, east: number, north: number];

/** The columns of this level divide the world into strips. */
export const stripLevel = 6;
export const stripOf = (column: number) => column >>> (levels - stripLevel);

/** A strip without devices has the count 0. */
export const newStrips = () => emptyAggregates(2 ** stripLevel);

/**
 * The smallest box around the devices in the strips; null if there are none. It excludes the widest empty gap in longitude.
 * Gaps of less than 6° within a strip are ignored.
 */
export function boundsOfStrips(strips: Aggregates): Box | null {
  const filled = [...strips.count.keys()].filter((strip) => strips.count[strip]! > 0);
  const [first, last] = [filled[0], filled.at(-1)];
  if (first === undefined || last === undefined) return null;
  let west = strips.west[first]!;
  let east = strips.east[last]!;
  let south = Infinity;
  let north = -Infinity;
  let widest = west + 360 - east;
  let reached = strips.east[first]!;
  for (const strip of filled) {
    const gap = strips.west[strip]! - reached;
    if (gap > widest) [widest, west, east] = [gap, strips.west[strip]!, reached];
    reached = strips.east[strip]!;
    south = Math.min(south, strips.south[strip]!);
    north = Math.max(north, strips.north[strip]!);
  }
  return [west, south, east, north];
}

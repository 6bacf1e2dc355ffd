import type { Aggregate } from './cells.ts';
import { levels } from './mercator.ts';

export type Box = [west: number, south: number, east: number, north: number];

/** The columns of this level divide the world into strips. */
export const stripLevel = 6;
export const stripOf = (column: number) => column >>> (levels - stripLevel);

type Extent = Pick<Aggregate, 'west' | 'south' | 'east' | 'north'>;

/** A strip without devices is undefined. */
export const newStrips = () => Array.from<Extent | undefined>({ length: 2 ** stripLevel });

export function addToStrip(strips: (Extent | undefined)[], strip: number, { west, south, east, north }: Extent): void {
  const extent = strips[strip];
  if (!extent) {
    strips[strip] = { west, south, east, north };
    return;
  }
  if (west < extent.west) extent.west = west;
  if (south < extent.south) extent.south = south;
  if (east > extent.east) extent.east = east;
  if (north > extent.north) extent.north = north;
}

/**
 * The smallest box around the devices in the strips; null if there are none. It excludes the widest empty gap in longitude.
 * Gaps of less than 6° within a strip are ignored.
 */
export function boundsOfStrips(strips: readonly (Extent | undefined)[]): Box | null {
  const filled = strips.filter((strip) => strip !== undefined);
  const first = filled[0];
  if (!first) return null;
  let { west, south, north } = first;
  let east = filled.at(-1)!.east;
  let widest = west + 360 - east;
  let reached = first.east;
  for (const strip of filled) {
    const gap = strip.west - reached;
    if (gap > widest) [widest, west, east] = [gap, strip.west, reached];
    reached = strip.east;
    south = Math.min(south, strip.south);
    north = Math.max(north, strip.north);
  }
  return [west, south, east, north];
}

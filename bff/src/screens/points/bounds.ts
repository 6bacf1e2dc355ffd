import { cachedLevels } from './cell-cache.ts';
import type { PointLayerReader } from './point-layer.ts';
import { columnOfKey, levels } from './morton.ts';
import { addPoint } from './points.ts';
import { addAggregate, emptyAggregate } from './aggregate.ts';
import type { Aggregate } from './aggregate.ts';

export type Box = [west: number, south: number, east: number, north: number];

/** The world is divided into so many strips of columns. */
export const strips = 2 ** cachedLevels;
export const stripOf = (column: number) => column >>> (levels - cachedLevels);

/** The smallest box around the devices of some layers; null if there are none. */
export function boundsOf(layers: readonly PointLayerReader[]): Box | null {
  return boundsOfStrips(stripsOf(layers));
}

/**
 * The smallest box around the devices in the strips; null if there are none. It excludes the widest empty gap in longitude.
 * Gaps of less than 6° within a strip are ignored.
 */
export function boundsOfStrips(all: readonly Aggregate[]): Box | null {
  const filled = all.filter(({ count }) => count > 0);
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

/** The columns of the non-empty cells in the cache, which is always up to date. */
function stripsOf(layers: readonly PointLayerReader[]): Aggregate[] {
  const inStrips = Array.from({ length: strips }, emptyAggregate);
  for (const layer of layers) {
    layer.eachCached(cachedLevels, {
      cell: (cell) => addAggregate(inStrips[cell.column]!, cell),
      point(points, slot) {
        addPoint(inStrips[stripOf(columnOfKey(points.key[slot]!))]!, points, slot);
      },
    });
  }
  return inStrips;
}

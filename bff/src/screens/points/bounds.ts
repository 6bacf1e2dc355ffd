import { cachedLevels } from './cell-cache.ts';
import type { PointLayerReader } from './point-layer.ts';
import { columnOfKey, levels } from './morton.ts';
import { addPoint } from './points.ts';
import { addAggregate, emptyAggregate } from './aggregate.ts';
import type { Aggregate } from './aggregate.ts';

export type Box = [west: number, south: number, east: number, north: number];

/**
 * The smallest box around the devices of some layers; null if there are none. It excludes the widest empty gap in
 * longitude. Gaps of less than 6° within a strip of cells are ignored.
 */
export function boundsOf(layers: readonly PointLayerReader[]): Box | null {
  const strips = stripsOf(layers);
  const first = strips[0];
  if (!first) return null;
  let { west, south, north } = first;
  let east = strips.at(-1)!.east;
  let widest = west + 360 - east;
  let reached = first.east;
  for (const strip of strips) {
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
  const strips = Array.from({ length: 2 ** cachedLevels }, emptyAggregate);
  for (const layer of layers) {
    layer.eachCached(cachedLevels, {
      cell: (cell) => addAggregate(strips[cell.column]!, cell),
      point(points, slot) {
        addPoint(strips[columnOfKey(points.key[slot]!) >>> (levels - cachedLevels)]!, points, slot);
      },
    });
  }
  return strips.filter(({ count }) => count > 0);
}

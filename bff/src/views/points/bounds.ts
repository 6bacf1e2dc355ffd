import { keptLevels } from './kept-cells.ts';
import type { LayerReader } from './layer.ts';
import { columnOfKey, levels } from './morton.ts';
import { addPoint } from './points.ts';
import { addSpan, emptySpan } from './span.ts';
import type { Span } from './span.ts';

export type Box = [west: number, south: number, east: number, north: number];

/**
 * The smallest box round the devices of some layers; null where there are none. It leaves out the widest gap between
 * two strips from pole to pole, or what is beyond both ends: a gap within a strip, less than 6°, is not seen.
 */
export function boundsOf(layers: readonly LayerReader[]): Box | null {
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

/** Columns of the cells that are kept: they are as right as the last change already. Those that are not empty. */
function stripsOf(layers: readonly LayerReader[]): Span[] {
  const strips = Array.from({ length: 2 ** keptLevels }, emptySpan);
  for (const layer of layers) {
    layer.eachKept(keptLevels, {
      cell: (cell) => addSpan(strips[cell.column]!, cell),
      point(points, slot) {
        addPoint(strips[columnOfKey(points.key[slot]!) >>> (levels - keptLevels)]!, points, slot);
      },
    });
  }
  return strips.filter(({ count }) => count > 0);
}

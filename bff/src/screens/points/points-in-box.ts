import type { Box } from './bounds.ts';
import { fewDevices, sizeOf } from './point-layer.ts';
import type { PointLayerReader, Range } from './point-layer.ts';
import { columnOf, levels, rowOf } from './morton.ts';
import { emptyAggregate } from './aggregate.ts';

/**
 * The exact number of devices in a box, edges included: whole cells by their counts, and single devices along the
 * edges.
 */
export function countIn(layer: PointLayerReader, box: Box): number {
  let count = 0;
  eachCellIn(layer, box, {
    whole(range) {
      const aggregate = emptyAggregate();
      layer.addTo(aggregate, range);
      count += aggregate.count;
    },
    one: () => {
      count += 1;
    },
  });
  return count;
}

/** The refs of the devices in a box. */
export function refsIn(layer: PointLayerReader, box: Box): number[] {
  const refs: number[] = [];
  eachCellIn(layer, box, {
    whole: (range) => layer.eachIn(range, ({ ref }, slot) => refs.push(ref[slot]!)),
    one: (ref) => refs.push(ref),
  });
  return refs;
}

function eachCellIn(
  layer: PointLayerReader,
  [west, south, east, north]: Box,
  found: { whole: (range: Range) => void; one: (ref: number) => void },
): void {
  if (west > east) {
    eachCellIn(layer, [west, south, 180, north], found);
    eachCellIn(layer, [-180, south, east, north], found);
    return;
  }
  const [left, right, top, bottom] = [columnOf(west), columnOf(east), rowOf(north), rowOf(south)];
  layer.walk((range) => {
    const { level, column, row } = range;
    const width = 2 ** (levels - level);
    const [first, last] = [column * width, (column + 1) * width - 1];
    const [upper, lower] = [row * width, (row + 1) * width - 1];
    if (first > right || last < left || upper > bottom || lower < top) return false;
    if (first > left && last < right && upper > top && lower < bottom) {
      found.whole(range);
      return false;
    }
    if (level < levels && sizeOf(range) > fewDevices) return true;
    layer.eachIn(range, ({ ref, longitude, latitude }, slot) => {
      const across = longitude[slot]! >= west && longitude[slot]! <= east;
      if (across && latitude[slot]! >= south && latitude[slot]! <= north) found.one(ref[slot]!);
    });
    return false;
  });
}

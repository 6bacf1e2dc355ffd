import { few, sizeOf } from './layer.ts';
import type { Layer } from './layer.ts';
import { columnOf, levels, rowOf } from './morton.ts';
import { emptySpan } from './span.ts';
import type { Box } from './strips.ts';

/** How many devices are in a box, edges included, exactly: whole cells at once, one by one along the edges. */
export function countIn(layer: Layer, [west, south, east, north]: Box): number {
  if (west > east) return countIn(layer, [west, south, 180, north]) + countIn(layer, [-180, south, east, north]);
  const [left, right, top, bottom] = [columnOf(west), columnOf(east), rowOf(north), rowOf(south)];
  const span = emptySpan();
  let count = 0;

  layer.walk((range) => {
    const { level, column, row } = range;
    const width = 2 ** (levels - level);
    const [first, last] = [column * width, (column + 1) * width - 1];
    const [upper, lower] = [row * width, (row + 1) * width - 1];
    if (first > right || last < left || upper > bottom || lower < top) return false;
    if (first > left && last < right && upper > top && lower < bottom) {
      layer.addTo(span, range);
      return false;
    }
    if (level < levels && sizeOf(range) > few) return true;
    layer.eachIn(range, ({ longitude, latitude }, slot) => {
      const across = longitude[slot]! >= west && longitude[slot]! <= east;
      if (across && latitude[slot]! >= south && latitude[slot]! <= north) count += 1;
    });
    return false;
  });
  return count + span.count;
}

import type { Layer } from './layer.ts';
import { columnOf, side } from './morton.ts';
import { emptySpan } from './span.ts';
import type { Span } from './span.ts';

const level = 7;
const columnsOfStrip = side / 2 ** level;

export type Box = [west: number, south: number, east: number, north: number];

/**
 * Where a layer's devices are, by 128 strips from pole to pole: what an extent of the whole needs, and of which a
 * change touches one. A strip is looked at again only where one of its outermost devices has left.
 */
export type Strips = ReturnType<typeof createStrips>;

export function createStrips(layer: Layer) {
  const strips: (Span | undefined)[] = Array.from({ length: 2 ** level });
  const stale = new Set<number>();
  const stripOf = (longitude: number) => Math.floor(columnOf(longitude) / columnsOfStrip);

  function look(strip: number): Span {
    const span = emptySpan();
    layer.walk((range) => {
      if (range.column !== strip >>> (level - range.level)) return false;
      if (range.level === level) layer.addTo(span, range);
      return range.level < level;
    });
    return span;
  }

  return {
    added(longitude: number, latitude: number) {
      const strip = stripOf(longitude);
      const span = (strips[strip] ??= emptySpan());
      span.count += 1;
      span.west = Math.min(span.west, longitude);
      span.east = Math.max(span.east, longitude);
      span.south = Math.min(span.south, latitude);
      span.north = Math.max(span.north, latitude);
    },
    removed(longitude: number, latitude: number) {
      const strip = stripOf(longitude);
      const span = strips[strip]!;
      span.count -= 1;
      const inside = longitude > span.west && longitude < span.east && latitude > span.south && latitude < span.north;
      if (!inside) stale.add(strip);
    },
    /** Those that are not empty, from west to east. */
    spans(): Span[] {
      for (const strip of stale) strips[strip] = strips[strip]?.count === 0 ? undefined : look(strip);
      stale.clear();
      return strips.filter((span) => span !== undefined);
    },
  };
}

/**
 * The smallest box round all of it: it leaves out the widest gap between two strips, or what is beyond both ends.
 * A gap within a strip, less than 3°, is not seen. `spans` from west to east, of one or of several layers.
 */
export function boxAround(spans: readonly Span[]): Box | null {
  const sorted = spans.toSorted((a, b) => a.west - b.west);
  if (sorted.length === 0) return null;
  let west = sorted[0]!.west;
  let east = Math.max(...sorted.map((span) => span.east));
  let widest = west + 360 - east;
  let reached = sorted[0]!.east;
  for (const span of sorted) {
    const gap = span.west - reached;
    if (gap > widest) [widest, west, east] = [gap, span.west, reached];
    reached = Math.max(reached, span.east);
  }
  const south = Math.min(...sorted.map((span) => span.south));
  const north = Math.max(...sorted.map((span) => span.north));
  return [west, south, east, north];
}

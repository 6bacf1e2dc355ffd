import { addPoint } from './points.ts';
import type { Points } from './points.ts';
import { emptySpan } from './span.ts';
import type { Span } from './span.ts';

const fan = 16;
/** The number of values per span: the fields of Span in order. */
const width = 9;
const atOnce = 16_384;

/**
 * Aggregates any range of sorted points in logarithmic time: a tree with the span of each sixteen points, and of each
 * sixteen spans. Prefix sums would be enough for counts and means, but extents and the newest change cannot be
 * subtracted, and a tree can be updated in place.
 */
export interface SpanTree {
  /** Adds the points from `from` up to, but not including, `to` to a span. */
  add(from: number, to: number, span: Span): void;
  /** The point in this slot was changed or removed. */
  update(slot: number): void;
}

/** Yields between slices of about a millisecond. */
export function* createSpanTree(points: Points): Generator<void, SpanTree> {
  /** The values of each level above the points. */
  const kept: Float64Array[] = [];
  for (let size = points.length; size > fan; size = Math.ceil(size / fan)) {
    const spans = new Float64Array(Math.ceil(size / fan) * width);
    kept.push(spans);
    for (let at = 0; at * width < spans.length; at++) {
      if ((at * fan) % atOnce === 0) yield;
      write(kept.length - 1, at);
    }
  }

  function addOne(level: number, at: number, span: Span) {
    if (level === 0) addPoint(span, points, at);
    else addKept(kept[level - 1]!, at * width, span);
  }

  function write(level: number, at: number) {
    const below = level === 0 ? points.length : kept[level - 1]!.length / width;
    const span = emptySpan();
    const to = Math.min((at + 1) * fan, below);
    for (let child = at * fan; child < to; child++) addOne(level, child, span);
    keep(span, kept[level]!, at * width);
  }

  return {
    add(first, last, span) {
      let from = first;
      let to = last;
      for (let level = 0; from < to; level++) {
        const top = level === kept.length;
        const left = top ? to : Math.min(to, Math.ceil(from / fan) * fan);
        const right = top ? to : Math.max(left, Math.floor(to / fan) * fan);
        for (let at = from; at < left; at++) addOne(level, at, span);
        for (let at = right; at < to; at++) addOne(level, at, span);
        from = left / fan;
        to = right / fan;
      }
    },
    update(slot) {
      let at = slot;
      for (let level = 0; level < kept.length; level++) {
        at = Math.floor(at / fan);
        write(level, at);
      }
    },
  };
}

function keep(span: Span, kept: Float64Array, at: number): void {
  kept[at] = span.count;
  kept[at + 1] = span.columns;
  kept[at + 2] = span.rows;
  kept[at + 3] = span.west;
  kept[at + 4] = span.south;
  kept[at + 5] = span.east;
  kept[at + 6] = span.north;
  kept[at + 7] = span.newest;
  kept[at + 8] = span.ref;
}

function addKept(kept: Float64Array, at: number, span: Span): void {
  const count = kept[at]!;
  if (count === 0) return;
  span.count += count;
  span.columns += kept[at + 1]!;
  span.rows += kept[at + 2]!;
  if (kept[at + 3]! < span.west) span.west = kept[at + 3]!;
  if (kept[at + 4]! < span.south) span.south = kept[at + 4]!;
  if (kept[at + 5]! > span.east) span.east = kept[at + 5]!;
  if (kept[at + 6]! > span.north) span.north = kept[at + 6]!;
  if (kept[at + 7]! > span.newest) span.newest = kept[at + 7]!;
  span.ref = kept[at + 8]!;
}

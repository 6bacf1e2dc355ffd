import { columnOfKey, keysOfCell, levels, rowOfKey } from './morton.ts';
import { firstFrom } from './points.ts';
import type { Points } from './points.ts';
import type { AggregateTree } from './aggregate-tree.ts';
import { emptyAggregate } from './aggregate.ts';
import type { Aggregate } from './aggregate.ts';

/** A cell of the quadtree, and the devices in it. */
export interface CachedCell extends Aggregate {
  column: number;
  row: number;
}

/** Up to this level, the cells of the whole world are few enough to cache, and have enough devices to be worth it. */
export const cachedLevels = 6;

/**
 * Caches the non-empty cells of the levels that were read: a view of the world is requested again after every move, and
 * most of its cells are unchanged.
 */
export function createCellCache({ points, tree }: { points: Points; tree: AggregateTree }) {
  const cache = new Map<number, { cells: CachedCell[]; starts: Uint32Array; stale: Set<number> }>();

  function read(cell: CachedCell, from: number, to: number) {
    Object.assign(cell, emptyAggregate());
    tree.add(from, to, cell);
  }

  function keep(level: number) {
    const size = keysOfCell(level);
    const cells: CachedCell[] = [];
    const starts: number[] = [];
    for (let from = 0; from < points.length;) {
      const key = points.key[from]!;
      const to = firstFrom(points.key, (Math.floor(key / size) + 1) * size, from, points.length);
      const cell = { column: columnOfKey(key) >>> (levels - level), row: rowOfKey(key) >>> (levels - level) };
      cells.push({ ...cell, ...emptyAggregate() });
      starts.push(from);
      read(cells.at(-1)!, from, to);
      from = to;
    }
    const made = { cells, starts: Uint32Array.from([...starts, points.length]), stale: new Set<number>() };
    cache.set(level, made);
    return made;
  }

  return {
    /** In Z-order. Cells that have become empty have a count of 0. */
    at(level: number): readonly CachedCell[] {
      const { cells, starts, stale } = cache.get(level) ?? keep(level);
      for (const index of stale) read(cells[index]!, starts[index]!, starts[index + 1]!);
      stale.clear();
      return cells;
    },
    /** The point in this slot was changed or removed. */
    changed(slot: number) {
      for (const { starts, stale } of cache.values()) stale.add(indexOfStart(starts, slot));
    },
  };
}

/** The last one that starts at or before a slot. */
function indexOfStart(starts: Uint32Array, slot: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= slot) low = middle;
    else high = middle;
  }
  return low;
}

import { addPoint } from './points.ts';
import type { Points } from './points.ts';
import { emptyAggregate } from './aggregate.ts';
import type { Aggregate } from './aggregate.ts';

const fan = 16;
/** The number of values per aggregate: the fields of Aggregate in order. */
const width = 9;
const atOnce = 16_384;

/**
 * Aggregates any range of sorted points in logarithmic time: a tree with the aggregate of each sixteen points, and of
 * each sixteen aggregates. Prefix sums would be enough for counts and means, but extents and the newest change cannot
 * be subtracted, and a tree can be updated in place.
 */
export interface AggregateTree {
  /** Adds the points from `from` up to, but not including, `to` to an aggregate. */
  add(from: number, to: number, aggregate: Aggregate): void;
  /** The point in this slot was changed or removed. */
  update(slot: number): void;
}

/** Yields between slices of about a millisecond. */
export function* createAggregateTree(points: Points): Generator<void, AggregateTree> {
  /** The values of each level above the points. */
  const levelValues: Float64Array[] = [];
  for (let size = points.length; size > fan; size = Math.ceil(size / fan)) {
    const aggregates = new Float64Array(Math.ceil(size / fan) * width);
    levelValues.push(aggregates);
    for (let at = 0; at * width < aggregates.length; at++) {
      if ((at * fan) % atOnce === 0) yield;
      write(levelValues.length - 1, at);
    }
  }

  function addOne(level: number, at: number, aggregate: Aggregate) {
    if (level === 0) addPoint(aggregate, points, at);
    else addStored(levelValues[level - 1]!, at * width, aggregate);
  }

  function write(level: number, at: number) {
    const below = level === 0 ? points.length : levelValues[level - 1]!.length / width;
    const aggregate = emptyAggregate();
    const to = Math.min((at + 1) * fan, below);
    for (let child = at * fan; child < to; child++) addOne(level, child, aggregate);
    store(aggregate, levelValues[level]!, at * width);
  }

  return {
    add(first, last, aggregate) {
      let from = first;
      let to = last;
      for (let level = 0; from < to; level++) {
        const top = level === levelValues.length;
        const left = top ? to : Math.min(to, Math.ceil(from / fan) * fan);
        const right = top ? to : Math.max(left, Math.floor(to / fan) * fan);
        for (let at = from; at < left; at++) addOne(level, at, aggregate);
        for (let at = right; at < to; at++) addOne(level, at, aggregate);
        from = left / fan;
        to = right / fan;
      }
    },
    update(slot) {
      let at = slot;
      for (let level = 0; level < levelValues.length; level++) {
        at = Math.floor(at / fan);
        write(level, at);
      }
    },
  };
}

function store(aggregate: Aggregate, levelValues: Float64Array, at: number): void {
  levelValues[at] = aggregate.count;
  levelValues[at + 1] = aggregate.columns;
  levelValues[at + 2] = aggregate.rows;
  levelValues[at + 3] = aggregate.west;
  levelValues[at + 4] = aggregate.south;
  levelValues[at + 5] = aggregate.east;
  levelValues[at + 6] = aggregate.north;
  levelValues[at + 7] = aggregate.newest;
  levelValues[at + 8] = aggregate.ref;
}

function addStored(levelValues: Float64Array, at: number, aggregate: Aggregate): void {
  const count = levelValues[at]!;
  if (count === 0) return;
  aggregate.count += count;
  aggregate.columns += levelValues[at + 1]!;
  aggregate.rows += levelValues[at + 2]!;
  if (levelValues[at + 3]! < aggregate.west) aggregate.west = levelValues[at + 3]!;
  if (levelValues[at + 4]! < aggregate.south) aggregate.south = levelValues[at + 4]!;
  if (levelValues[at + 5]! > aggregate.east) aggregate.east = levelValues[at + 5]!;
  if (levelValues[at + 6]! > aggregate.north) aggregate.north = levelValues[at + 6]!;
  if (levelValues[at + 7]! > aggregate.newest) aggregate.newest = levelValues[at + 7]!;
  aggregate.ref = levelValues[at + 8]!;
}

import { createCellCache } from './cell-cache.ts';
import type { CachedCell } from './cell-cache.ts';
import { keysOfCell, levels } from './morton.ts';
import { addPoint, copyPoint, emptyPoints, firstFrom, push, setPoint } from './points.ts';
import type { Point, Points } from './points.ts';
import { sortedOrder } from './radix-sort.ts';
import { createAggregateTree } from './aggregate-tree.ts';
import type { AggregateTree } from './aggregate-tree.ts';
import type { Aggregate } from './aggregate.ts';

/** The location of a point: in the sorted base or in the overlay. A fold moves points and reports each by `onMoved`. */
export interface Spot {
  inBase: boolean;
  slot: number;
}

/** A cell of the quadtree, with its ranges in base and overlay. */
export interface Range {
  level: number;
  column: number;
  row: number;
  from: number;
  to: number;
  overlayFrom: number;
  overlayTo: number;
}

const nowhere = { column: 0, row: 0, from: 0, to: 0, overlayFrom: 0, overlayTo: 0 };

/** A layer is folded when its overlay exceeds this share and this number of its points. */
const mostOverlay = { share: 0.05, points: 2000 };
const atOnce = 32_768;

export type PointLayer = ReturnType<typeof createPointLayer>;
/** The read interface of a layer. */
export type PointLayerReader = Pick<PointLayer, 'walk' | 'addTo' | 'eachCached' | 'eachIn'>;

/**
 * The placed devices of one kind: a base in Z-order with an aggregate tree, and an overlay with later additions. A
 * removal from the base leaves a gap. A fold sorts both together.
 */
export function createPointLayer({ onMoved }: { onMoved: (ref: number, spot: Spot) => void }) {
  let base: Points = emptyPoints(0);
  let tree: AggregateTree = { add: () => {}, update: () => {} };
  let cache = createCellCache({ points: base, tree });
  const overlay = emptyPoints(0);
  /** The sorted overlay, until its next change. */
  let sorted: { keys: Float64Array; slots: Uint32Array } | undefined;
  let gaps = 0;

  /** Sorts the overlay, which is small. */
  function overlayInOrder() {
    if (!sorted) {
      const slots = finish(sortedOrder(overlay.key.subarray(0, overlay.length)));
      // A typed array directly: `Array.from` would create a megabyte of garbage for each view.
      const keys = new Float64Array(slots.length);
      for (let at = 0; at < slots.length; at++) keys[at] = overlay.key[slots[at]!]!;
      sorted = { slots, keys };
    }
    return sorted;
  }

  function* fold(): Generator<void, void> {
    const order = yield* sortedOrder(overlay.key.subarray(0, overlay.length));
    const folded = emptyPoints(base.length - gaps + overlay.length);
    let slot = 0;
    let next = 0;
    const takeOverlay = (below: number) => {
      for (; next < order.length && overlay.key[order[next]!]! < below; next++, slot++) {
        copyPoint(overlay, order[next]!, folded, slot);
      }
    };
    for (let old = 0; old < base.length; old++) {
      if (old % atOnce === atOnce - 1) yield;
      if (base.ref[old] === 0) continue;
      takeOverlay(base.key[old]!);
      copyPoint(base, old, folded, slot);
      slot += 1;
    }
    takeOverlay(Infinity);
    folded.length = slot;
    for (let at = 0; at < slot; at++) {
      if (at % atOnce === atOnce - 1) yield;
      onMoved(folded.ref[at]!, { inBase: true, slot: at });
    }
    tree = yield* createAggregateTree(folded);
    base = folded;
    cache = createCellCache({ points: base, tree });
    gaps = 0;
    Object.assign(overlay, emptyPoints(0));
    sorted = undefined;
  }

  function baseChanged(slot: number) {
    tree.update(slot);
    cache.changed(slot);
  }

  return {
    /** The number of devices. */
    get size() {
      return base.length - gaps + overlay.length;
    },
    get wantsFold() {
      const allowed = mostOverlay.share * base.length + mostOverlay.points;
      return overlay.length > allowed || gaps > allowed;
    },
    /** Yields between slices of some milliseconds. The layer must not be read until it has ended. */
    fold,

    add(key: number, point: Point): Spot {
      sorted = undefined;
      return { inBase: false, slot: push(overlay, key, point) };
    },
    remove({ inBase, slot }: Spot) {
      if (inBase) {
        base.ref[slot] = 0;
        gaps += 1;
        baseChanged(slot);
        return;
      }
      sorted = undefined;
      overlay.length -= 1;
      if (slot === overlay.length) return;
      copyPoint(overlay, overlay.length, overlay, slot);
      onMoved(overlay.ref[slot]!, { inBase: false, slot });
    },
    /** For a point with the same key. */
    change({ inBase, slot }: Spot, point: Point) {
      setPoint(inBase ? base : overlay, slot, point);
      if (inBase) baseChanged(slot);
    },
    at({ inBase, slot }: Spot): Point & { key: number } {
      const { key, ref, longitude, latitude, at } = inBase ? base : overlay;
      return {
        key: key[slot]!,
        ref: ref[slot]!,
        longitude: longitude[slot]!,
        latitude: latitude[slot]!,
        at: at[slot]!,
      };
    },

    /**
     * Visits the non-empty cells from the world down. `enter` returns whether to visit the children. A range is valid
     * until `enter` returns: each level reuses one object, because new ones would mostly be garbage.
     */
    walk(enter: (range: Range) => boolean) {
      const { keys } = overlayInOrder();
      const ranges = Array.from({ length: levels + 1 }, (_, level): Range => ({ ...nowhere, level }));
      const descend = (range: Range, first: number) => {
        if (range.from === range.to && range.overlayFrom === range.overlayTo) return;
        if (!enter(range)) return;
        const child = ranges[range.level + 1]!;
        const step = keysOfCell(child.level);
        let { from, overlayFrom } = range;
        for (let quarter = 0; quarter < 4; quarter++) {
          const start = first + quarter * step;
          const isLast = quarter === 3;
          child.column = range.column * 2 + (quarter & 1);
          child.row = range.row * 2 + (quarter >>> 1);
          child.from = from;
          child.overlayFrom = overlayFrom;
          from = isLast ? range.to : firstFrom(base.key, start + step, from, range.to);
          overlayFrom = isLast ? range.overlayTo : firstFrom(keys, start + step, overlayFrom, range.overlayTo);
          child.to = from;
          child.overlayTo = overlayFrom;
          descend(child, start);
        }
      };
      const world = ranges[0]!;
      world.to = base.length;
      world.overlayTo = overlay.length;
      descend(world, 0);
    },
    addTo(aggregate: Aggregate, range: Range) {
      tree.add(range.from, range.to, aggregate);
      const { slots } = overlayInOrder();
      for (let at = range.overlayFrom; at < range.overlayTo; at++) addPoint(aggregate, overlay, slots[at]!);
    },
    /** All content of a cached level (cell-cache.ts): whole cells of the base, and each point of the overlay. */
    eachCached(level: number, visit: { cell(cell: CachedCell): void; point(points: Points, slot: number): void }) {
      for (const cell of cache.at(level)) if (cell.count > 0) visit.cell(cell);
      for (let slot = 0; slot < overlay.length; slot++) visit.point(overlay, slot);
    },
    /** Visits each point, with its columns and its slot. */
    each(visit: (points: Points, slot: number) => void) {
      for (let slot = 0; slot < base.length; slot++) if (base.ref[slot] !== 0) visit(base, slot);
      for (let slot = 0; slot < overlay.length; slot++) visit(overlay, slot);
    },
    /** Visits each point of the range, with its columns and its slot. */
    eachIn(range: Range, visit: (points: Points, slot: number) => void) {
      for (let slot = range.from; slot < range.to; slot++) if (base.ref[slot] !== 0) visit(base, slot);
      const { slots } = overlayInOrder();
      for (let at = range.overlayFrom; at < range.overlayTo; at++) visit(overlay, slots[at]!);
    },
  };
}

/** Below this number, reading each device is faster than descending further. */
export const fewDevices = 32;

/** The maximum number of devices in the range, including gaps. */
export function sizeOf({ from, to, overlayFrom, overlayTo }: Range): number {
  return to - from + (overlayTo - overlayFrom);
}

/** Runs a generator to its end, without slices. */
export function finish<T>(work: Generator<void, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

import { boundsOf } from './bounds.ts';
import { countIn } from './points-in-box.ts';
import type { PointLayer, PointLayerReader } from './point-layer.ts';
import { createPointIndex } from './point-index.ts';
import type { PointIndex, PointReader } from './point-index.ts';
import { addPoint } from './points.ts';

interface Selected {
  readonly size: number;
  has(ref: number): boolean;
  /** May include refs that the index does not have. */
  each(visit: (ref: number) => void): void;
}

/** Below this fraction of all devices, indexing the selected ones is faster than filtering all devices in view. */
const smallShare = 1 / 20;

/** The selected devices of an index. The result is for one query: later changes are not included. */
export function selectPoints(index: PointIndex, selected: Selected): PointReader {
  if (selected.size > smallShare * index.size) return lookThrough(index, selected);
  const small = createPointIndex({ kinds: index.kinds });
  selected.each((ref) => {
    const device = index.get(ref);
    if (device) small.put(device);
  });
  return small;
}

function lookThrough(index: PointIndex, { has, each }: Selected): PointReader {
  const layers = index.layers.map((layer) => selectIn(layer, has));
  let counts: { placed: number[]; unplaced: number[] } | undefined;

  function eachDevice(visit: Parameters<PointReader['each']>[0]) {
    each((ref) => {
      const device = index.get(ref);
      if (device) visit({ ref, kind: device.kind, placed: device.longitude !== null });
    });
  }
  function count() {
    const none = () => Array.from({ length: index.kinds }, () => 0);
    counts ??= { placed: none(), unplaced: none() };
    const { placed, unplaced } = counts;
    eachDevice(({ kind, placed: isPlaced }) => ((isPlaced ? placed : unplaced)[kind]! += 1));
    return counts;
  }

  return {
    get size() {
      const { placed, unplaced } = counts ?? count();
      return [...placed, ...unplaced].reduce((sum, number) => sum + number, 0);
    },
    placed: () => (counts ?? count()).placed,
    unplaced: () => (counts ?? count()).unplaced,
    countIn: (box) => layers.map((layer) => countIn(layer, box)),
    bounds: (includesKind = () => true) => boundsOf(layers.filter((_, kind) => includesKind(kind))),
    each: eachDevice,
    layers,
  };
}

function selectIn(layer: PointLayer, has: (ref: number) => boolean): PointLayerReader {
  return {
    walk: layer.walk,
    addTo(aggregate, range) {
      layer.eachIn(range, (points, slot) => {
        if (has(points.ref[slot]!)) addPoint(aggregate, points, slot);
      });
    },
    eachIn(range, visit) {
      layer.eachIn(range, (points, slot) => {
        if (has(points.ref[slot]!)) visit(points, slot);
      });
    },
    // The counts of cached cells include devices that are not selected.
    eachCached(_level, { point }) {
      layer.each((points, slot) => {
        if (has(points.ref[slot]!)) point(points, slot);
      });
    },
  };
}

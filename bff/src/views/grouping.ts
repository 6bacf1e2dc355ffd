import { eastward } from './mercator.ts';

/** Where points are, as fractions of the world's square (mercator.ts). */
export interface Places {
  x: Float64Array;
  y: Float64Array;
}

/** Points drawn as one symbol. `key` names the cell that it grew from, and stays while points move. */
export interface Group {
  key: string;
  x: number;
  y: number;
  points: Int32Array;
}

/** How coarse: cells of the grid are 32 px at `zoom`, and no two leading cells lie within `radius` px. */
export interface Grain {
  zoom: number;
  radius: number;
}

export const cellPixels = 32;
export const tilePixels = 256;

interface Cells {
  /** Cells from west to east and from north to south: a power of two, so that the grid closes round the world. */
  across: number;
  /** Of each cell that is not empty, sorted: row * across + column. */
  keys: Float64Array;
  /** The middle of the points in each cell. */
  x: Float64Array;
  y: Float64Array;
  ofPoint: Int32Array;
}

/**
 * Groups all points at one grain. Cells are anchored to the world and taken from north to south, west to east:
 * a cell within `radius` of no earlier leading cell leads, every other joins the nearest leading one.
 * It depends on the points and the grain alone, never on a view, so panning changes nothing.
 */
export function groupPlaces({ places, grain }: { places: Places; grain: Grain }): Group[] {
  const cells = cellsOf(places, grain.zoom);
  const leaderOf = leadersOf(cells, grain);
  const pointsOf = sortInto({ buckets: cells.ofPoint.map((cell) => leaderOf[cell]!), count: leaderOf.length });
  const groups: Group[] = [];
  leaderOf.forEach((leader, cell) => {
    if (leader !== cell) return;
    const key = cells.keys[cell]!;
    const name = `${grain.zoom}/${key % cells.across}/${Math.floor(key / cells.across)}/${grain.radius}`;
    const points = pointsOf(cell);
    groups.push({ key: name, points, ...middleOf(places, points) });
  });
  return groups;
}

function cellsOf(places: Places, zoom: number): Cells {
  const across = (tilePixels / cellPixels) * 2 ** zoom;
  const keyOf = places.x.map((x, point) => {
    const column = Math.floor(x * across) % across;
    const row = Math.min(Math.floor(places.y[point]! * across), across - 1);
    return row * across + column;
  });
  const keys = keyOf.toSorted().filter((key, index, sorted) => key !== sorted[index - 1]);
  const ofPoint = Int32Array.from(keyOf, (key) => firstFrom(keys, key));
  const pointsOf = sortInto({ buckets: ofPoint, count: keys.length });
  const middles = Array.from(keys, (_, cell) => middleOf(places, pointsOf(cell)));
  const x = Float64Array.from(middles, (middle) => middle.x);
  const y = Float64Array.from(middles, (middle) => middle.y);
  return { across, keys, x, y, ofPoint };
}

/** Which points are in each of `count` buckets, in their order. */
function sortInto({ buckets, count }: { buckets: Int32Array; count: number }): (bucket: number) => Int32Array {
  const start = new Int32Array(count + 1);
  for (const bucket of buckets) start[bucket + 1]! += 1;
  for (let bucket = 0; bucket < count; bucket++) start[bucket + 1]! += start[bucket]!;
  const next = start.slice();
  const order = new Int32Array(buckets.length);
  buckets.forEach((bucket, point) => {
    order[next[bucket]!++] = point;
  });
  return (bucket) => order.subarray(start[bucket], start[bucket + 1]);
}

/** Measured from the first of them, so that points on both sides of the antimeridian meet there. */
function middleOf({ x, y }: Places, points: Int32Array): { x: number; y: number } {
  const from = x[points[0]!]!;
  let east = 0;
  let south = 0;
  for (const point of points) {
    east += eastward(from, x[point]!);
    south += y[point]!;
  }
  return { x: from + east / points.length, y: south / points.length };
}

function leadersOf(cells: Cells, grain: Grain): Int32Array {
  const leads = new Uint8Array(cells.keys.length);
  for (let cell = 0; cell < leads.length; cell++) {
    if (nearestLeader({ cells, leads, cell, grain }) === undefined) leads[cell] = 1;
  }
  return Int32Array.from(leads, (isLeader, cell) => (isLeader ? cell : nearestLeader({ cells, leads, cell, grain })!));
}

function nearestLeader(asked: { cells: Cells; leads: Uint8Array; cell: number; grain: Grain }): number | undefined {
  const { cells, leads, cell, grain } = asked;
  const { across, keys, x, y } = cells;
  const reach = Math.ceil(grain.radius / cellPixels);
  const column = keys[cell]! % across;
  const row = keys[cell]! - column;
  let nearest: number | undefined;
  let least = (grain.radius / (tilePixels * 2 ** grain.zoom)) ** 2;

  /** Cells of one row from one key to another stand side by side. */
  function look(from: number, to: number) {
    for (let other = firstFrom(keys, from); keys[other]! <= to; other++) {
      if (leads[other] === 0) continue;
      const distance = eastward(x[cell]!, x[other]!) ** 2 + (y[cell]! - y[other]!) ** 2;
      if (distance >= least) continue;
      least = distance;
      nearest = other;
    }
  }

  for (let south = -reach; south <= reach; south++) {
    const start = row + south * across;
    look(start + Math.max(column - reach, 0), start + Math.min(column + reach, across - 1));
    // and over the antimeridian
    if (column < reach) look(start + across + column - reach, start + across - 1);
    if (column + reach >= across) look(start, start + column + reach - across);
  }
  return nearest;
}

/** Index of the first that is not less. */
function firstFrom(sorted: Float64Array, key: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

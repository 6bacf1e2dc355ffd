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
  at: Map<number, number>;
  x: Float64Array;
  y: Float64Array;
  /** The points of cell c are order[start[c]] to order[start[c + 1]]. */
  order: Int32Array;
  start: Int32Array;
}

/**
 * Groups all points at one grain. Cells are anchored to the world and taken from north to south, west to east:
 * a cell within `radius` of no earlier leading cell leads, every other joins the nearest leading one.
 * It depends on the points and the grain alone, never on a view, so panning changes nothing.
 */
export function groupPlaces({ places, grain }: { places: Places; grain: Grain }): Group[] {
  const cells = cellsOf(places, grain.zoom);
  const leaderOf = leadersOf(cells, grain);
  const members = new Map<number, number[]>();
  leaderOf.forEach((leader, cell) => {
    const joined = members.get(leader);
    if (joined) joined.push(cell);
    else members.set(leader, [cell]);
  });
  return [...members].map(([leader, joined]) => {
    const key = cells.keys[leader]!;
    const name = `${grain.zoom}/${key % cells.across}/${Math.floor(key / cells.across)}/${grain.radius}`;
    const points = Int32Array.from(joined.flatMap((cell) => [...pointsOf(cells, cell)]));
    return { key: name, points, ...centre(places, points) };
  });
}

function cellsOf({ x, y }: Places, zoom: number): Cells {
  const across = (tilePixels / cellPixels) * 2 ** zoom;
  const keyOf = Float64Array.from(x, (_, point) => {
    const column = Math.floor(x[point]! * across) % across;
    const row = Math.min(Math.floor(y[point]! * across), across - 1);
    return row * across + column;
  });
  const keys = Float64Array.from(new Set(keyOf)).sort();
  const at = new Map(Array.from(keys, (key, cell) => [key, cell]));
  const start = new Int32Array(keys.length + 1);
  for (const key of keyOf) start[at.get(key)! + 1]! += 1;
  for (let cell = 0; cell < keys.length; cell++) start[cell + 1]! += start[cell]!;
  const next = start.slice();
  const order = new Int32Array(keyOf.length);
  keyOf.forEach((key, point) => {
    const cell = at.get(key)!;
    order[next[cell]!++] = point;
  });
  const cells = { across, keys, at, order, start, x: new Float64Array(keys.length), y: new Float64Array(keys.length) };
  for (let cell = 0; cell < keys.length; cell++) {
    const { x: middle, y: height } = centre({ x, y }, pointsOf(cells, cell));
    cells.x[cell] = middle;
    cells.y[cell] = height;
  }
  return cells;
}

function pointsOf({ order, start }: Cells, cell: number): Int32Array {
  return order.subarray(start[cell], start[cell + 1]);
}

/** Measured from the first of them, so that points on both sides of the antimeridian meet there. */
function centre({ x, y }: Places, points: Int32Array): { x: number; y: number } {
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
  const { across } = cells;
  const reach = Math.ceil(grain.radius / cellPixels);
  const column = cells.keys[cell]! % across;
  const row = Math.floor(cells.keys[cell]! / across);
  let nearest: number | undefined;
  let least = (grain.radius / (tilePixels * 2 ** grain.zoom)) ** 2;
  for (let south = -reach; south <= reach; south++) {
    for (let east = -reach; east <= reach; east++) {
      const key = (row + south) * across + ((column + east + across) % across);
      const other = cells.at.get(key);
      if (other === undefined || leads[other] === 0) continue;
      const distance = eastward(cells.x[cell]!, cells.x[other]!) ** 2 + (cells.y[cell]! - cells.y[other]!) ** 2;
      if (distance < least) {
        least = distance;
        nearest = other;
      }
    }
  }
  return nearest;
}

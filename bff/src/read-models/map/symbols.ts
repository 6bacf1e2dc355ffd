import { clusterRadius, largestCluster } from './symbol-size.ts';
import type { Box } from './bounds.ts';
import {
  addNumbers,
  columnsOfCell,
  eastward,
  widened,
  type Aggregate,
  type Cell,
  type Grid,
  type GridOptions,
  type Piece,
} from './cells.ts';
import { cellPixels, levelsOfTile, type ClusterResolution } from './cluster-resolution.ts';
import { side, toX, toY } from './mercator.ts';

/** Devices that are drawn as one symbol. `key` identifies the leading cell and does not change while devices move. */
export interface Group extends Aggregate {
  key: string;
  byKind: number[];
  /** The position of the symbol, in columns and rows of the finest grid (mercator.ts). */
  x: number;
  y: number;
}

/**
 * The symbols of a view and up to one cell around it. They do not overlap at the size they are drawn with.
 *
 * There are two steps, each in a fixed pseudo-random order. First cells are grouped: a cell without an earlier leading
 * cell within `radius` becomes a leader, and any other cell joins the nearest leader. Then groups whose discs could
 * overlap are merged (createMerging). Whether a cell or a group leads depends only on its neighbours, which are
 * computed on demand. Symbols therefore depend on the devices and the resolution, but not on the view, and panning does
 * not change them.
 */
export function groupsIn(options: {
  gridOf: (options: GridOptions) => Grid;
  bbox: Box;
  resolution: ClusterResolution;
}): Group[] {
  const { gridOf, bbox, resolution } = options;
  const level = resolution.zoom + levelsOfTile;
  const view = viewOf(bbox, level);
  const piece = { left: view.left, top: view.top, wide: view.right - view.left, high: view.bottom - view.top };
  const reach = Math.ceil(resolution.radius / cellPixels);
  const grid = gridOf({ level, piece, margin: 3 * reach + 6 });
  const leading = createLeading({ grid, reach, radius: (resolution.radius / cellPixels) * columnsOfCell(level) });
  const candidates = createCandidates({ grid, resolution, leading, level });
  const merging = createMerging({ candidates, resolution, level });
  return candidates
    .ledIn(widened(piece, reach))
    .filter((candidate) => isInside(candidate.group, view, level) && merging.leads(candidate))
    .map((candidate) => merging.symbolOf(candidate));
}

interface View {
  /** Columns and rows of cells. `right` may be beyond the antimeridian. */
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The view in whole cells of the grid, and one more on each side, because a symbol may be half in view. */
function viewOf([west, south, east, north]: Box, level: number): View {
  const across = 2 ** level;
  return {
    left: Math.floor(toX(west) * across) - 1,
    right: Math.ceil((toX(east) + (west > east ? 1 : 0)) * across) + 1,
    top: Math.floor(toY(north) * across) - 1,
    bottom: Math.ceil(toY(south) * across) + 1,
  };
}

function isInside({ x, y }: Group, { left, right, top, bottom }: View, level: number): boolean {
  const cell = columnsOfCell(level);
  const way = x / cell - left;
  const east = way - Math.floor(way / 2 ** level) * 2 ** level;
  return east <= right - left && y / cell >= top && y / cell <= bottom;
}

function createLeading({ grid, reach, radius }: { grid: Grid; reach: number; radius: number }) {
  const leading = new Map<Cell, boolean>();
  const leaders = new Map<Cell, Cell>();
  const near = new Map<Cell, Cell[]>();

  /** The cells within the radius. */
  function neighboursOf(cell: Cell): Cell[] {
    let found = near.get(cell);
    if (found) return found;
    found = grid.around(cell, reach).filter((other) => other !== cell && distance(cell, other) < radius * radius);
    near.set(cell, found);
    return found;
  }

  function leads(cell: Cell): boolean {
    let free = leading.get(cell);
    if (free === undefined) {
      free = !neighboursOf(cell).some((other) => byRank(other, cell) < 0 && leads(other));
      leading.set(cell, free);
    }
    return free;
  }

  function leaderOf(cell: Cell): Cell {
    if (leads(cell)) return cell;
    let leader = leaders.get(cell);
    if (leader) return leader;
    let least = Infinity;
    for (const other of neighboursOf(cell)) {
      const away = distance(cell, other);
      if (away > least || !leads(other) || (away === least && byRank(other, leader!) > 0)) continue;
      least = away;
      leader = other;
    }
    leaders.set(cell, leader!);
    return leader!;
  }

  return {
    leads,
    membersOf: (leader: Cell) => [leader, ...neighboursOf(leader).filter((cell) => leaderOf(cell) === leader)],
  };
}

/** A group, which is a symbol unless it is merged into another one. */
interface Candidate {
  group: Group;
  leader: Cell;
  members: Cell[];
}

/** The side of a tile in cells. Small, because a tile is grouped as a whole. */
const tileCells = 4;

/** The groups of the first step, by tiles of their leading cells. */
function createCandidates(options: {
  grid: Grid;
  resolution: ClusterResolution;
  leading: ReturnType<typeof createLeading>;
  level: number;
}) {
  const { grid, resolution, leading, level } = options;
  const across = grid.across / tileCells;
  const tiles = new Map<number, Candidate[]>();

  function candidatesOf(tile: number): Candidate[] {
    let found = tiles.get(tile);
    if (found) return found;
    found = [];
    const [left, top] = [(tile % across) * tileCells, Math.floor(tile / across) * tileCells];
    for (let row = top; row < top + tileCells; row++) {
      for (let column = left; column < left + tileCells; column++) {
        const leader = grid.at(column, row);
        if (!leader || !leading.leads(leader)) continue;
        const members = leading.membersOf(leader);
        const key = `${resolution.zoom}/${column}/${row}/${resolution.radius}`;
        found.push({ group: groupOf({ key, leader, members }), leader, members });
      }
    }
    tiles.set(tile, found);
    return found;
  }

  /** The groups with leading cells in the piece, and others of the same tiles. */
  function ledIn({ left, top, wide, high }: Piece): Candidate[] {
    const [first, last] = [Math.floor(left / tileCells), Math.floor((left + wide - 1) / tileCells)];
    const columns = Math.min(last - first + 1, across);
    const from = Math.max(0, Math.floor(top / tileCells));
    const to = Math.min(across - 1, Math.floor((top + high - 1) / tileCells));
    const found: Candidate[] = [];
    for (let row = from; row <= to; row++) {
      for (let step = 0; step < columns; step++) {
        for (const each of candidatesOf(row * across + ((first + step) & (across - 1)))) found.push(each);
      }
    }
    return found;
  }

  return {
    ledIn,
    /** The other groups that are drawn within this many columns of the finest grid. */
    near(candidate: Candidate, within: number): Candidate[] {
      const { x, y } = candidate.group;
      const cell = columnsOfCell(level);
      // A group is drawn within the radius of its leader.
      const around = within / cell + resolution.radius / cellPixels;
      const [left, top] = [Math.floor(x / cell - around), Math.floor(y / cell - around)];
      const side = Math.ceil(2 * around) + 1;
      return ledIn({ left, top, wide: side, high: side }).filter(
        (other) => other !== candidate && distance(other.group, candidate.group) < within * within,
      );
    },
  };
}

/** The width of the rims between two discs, in px. */
const rims = 4;

/**
 * Merges groups until no two symbols overlap. A symbol is drawn at the position of its leading group, so merging moves
 * nothing. A disc may grow by merging, so overlaps are tested with the size that a group would have with everything
 * near it. The remaining discs cannot overlap, whatever they have absorbed.
 */
function createMerging(options: {
  candidates: ReturnType<typeof createCandidates>;
  resolution: ClusterResolution;
  level: number;
}) {
  const { candidates, resolution, level } = options;
  const columnsPerPixel = columnsOfCell(level) / cellPixels / resolution.scale;
  const farthest = (2 * largestCluster + rims) * columnsPerPixel;
  const near = new Map<Candidate, Candidate[]>();
  const rooms = new Map<Candidate, number>();
  const rivals = new Map<Candidate, Candidate[]>();
  const leading = new Map<Candidate, boolean>();

  function nearOf(candidate: Candidate): Candidate[] {
    let found = near.get(candidate);
    if (!found) {
      found = candidates.near(candidate, farthest);
      near.set(candidate, found);
    }
    return found;
  }

  /** The radius of the disc if the group absorbed everything near it. */
  function roomOf(candidate: Candidate): number {
    let room = rooms.get(candidate);
    if (room === undefined) {
      room = clusterRadius(nearOf(candidate).reduce((sum, { group }) => sum + group.count, candidate.group.count));
      rooms.set(candidate, room);
    }
    return room;
  }

  /** The groups that would overlap it. */
  function rivalsOf(candidate: Candidate): Candidate[] {
    let found = rivals.get(candidate);
    if (!found) {
      found = nearOf(candidate).filter((other) => {
        const least = (roomOf(candidate) + roomOf(other) + rims) * columnsPerPixel;
        return distance(candidate.group, other.group) < least * least;
      });
      rivals.set(candidate, found);
    }
    return found;
  }

  function leads(candidate: Candidate): boolean {
    let free = leading.get(candidate);
    if (free === undefined) {
      free = !rivalsOf(candidate).some((other) => bySize(other, candidate) < 0 && leads(other));
      leading.set(candidate, free);
    }
    return free;
  }

  function leaderOf(candidate: Candidate): Candidate {
    if (leads(candidate)) return candidate;
    const away = (other: Candidate) => distance(candidate.group, other.group);
    return rivalsOf(candidate)
      .filter(leads)
      .reduce((nearest, other) => ((away(other) - away(nearest) || bySize(other, nearest)) < 0 ? other : nearest));
  }

  return {
    leads,
    symbolOf(candidate: Candidate): Group {
      const merged = rivalsOf(candidate).filter((other) => leaderOf(other) === candidate);
      if (merged.length === 0) return candidate.group;
      const { leader, group } = candidate;
      const members = [candidate, ...merged].flatMap((each) => each.members);
      return { ...groupOf({ key: group.key, leader, members }), x: group.x, y: group.y };
    },
  };
}

/** Sorts the largest first. Sizes are compared by powers of two, so that few moves change the order. */
function bySize(a: Candidate, b: Candidate): number {
  const size = (candidate: Candidate) => Math.floor(Math.log2(candidate.group.count));
  return size(b) - size(a) || byRank(a.leader, b.leader);
}

interface Spot {
  x: number;
  y: number;
}

/** The square of the distance. */
function distance(a: Spot, b: Spot): number {
  const across = eastward(a.x, b.x);
  const down = a.y - b.y;
  return across * across + down * down;
}

function byRank(a: Cell, b: Cell): number {
  return a.rank - b.rank || a.row - b.row || a.column - b.column;
}

/** Longitudes and columns are relative to the leader, so that groups can cross the antimeridian. */
function groupOf({ key, leader, members }: { key: string; leader: Cell; members: Cell[] }): Group {
  const group: Group = {
    key,
    x: 0,
    y: 0,
    byKind: leader.byKind.map(() => 0),
    count: 0,
    columns: 0,
    rows: 0,
    ref: 0,
    west: Infinity,
    south: Infinity,
    east: -Infinity,
    north: -Infinity,
    newest: -Infinity,
    numbers: undefined,
  };
  let [west, east] = [Infinity, -Infinity];
  for (const cell of members) {
    const round = Math.round((leader.x - cell.x) / side);
    group.count += cell.count;
    group.columns += cell.columns + round * side * cell.count;
    group.rows += cell.rows;
    cell.byKind.forEach((count, kind) => {
      group.byKind[kind]! += count;
    });
    const [from, to] = [cell.west + round * 360, cell.east + round * 360];
    // 180° and -180° are equal: a box with both starts at one and ends at the other.
    if (from < west || (from === west && cell.west > group.west)) [west, group.west] = [from, cell.west];
    if (to > east || (to === east && cell.east < group.east)) [east, group.east] = [to, cell.east];
    group.south = Math.min(group.south, cell.south);
    group.north = Math.max(group.north, cell.north);
    group.newest = Math.max(group.newest, cell.newest);
    group.ref = cell.ref;
    if (cell.numbers) group.numbers = addNumbers(group.numbers, cell.numbers);
  }
  // From the corner to the centre of a cell of the finest grid.
  const x = group.columns / group.count + 0.5;
  group.x = x - Math.floor(x / side) * side;
  group.y = group.rows / group.count + 0.5;
  return group;
}

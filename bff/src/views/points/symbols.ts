import type { Box } from './bounds.ts';
import { columnsOfCell, createGrid, eastward } from './cells.ts';
import type { Cell, Grid } from './cells.ts';
import { cellPixels, levelsOfTile } from './grain.ts';
import type { Grain } from './grain.ts';
import type { LayerReader } from './layer.ts';
import { toX, toY } from './mercator.ts';
import { side } from './morton.ts';
import { emptySpan } from './span.ts';
import type { Span } from './span.ts';

/** Devices drawn as one symbol. `key` names the cell that it grew from, and stays while devices move. */
export interface Group extends Span {
  key: string;
  byKind: number[];
  /** The middle, in columns and rows of the finest grid (morton.ts). */
  x: number;
  y: number;
}

/**
 * The symbols of a view: the groups whose middles are in it, give or take a cell.
 *
 * Cells are anchored to the world and taken in an order of their own: one within `radius` of no leading cell that
 * comes before it leads, every other joins the nearest leading one. The order is as good as random, so that whether a
 * cell leads hangs on a few others around it, which are looked up wherever they are: groups depend on the devices and
 * the grain alone, never on a view, and panning changes nothing.
 */
export function groupsIn(asked: { layers: (LayerReader | undefined)[]; bbox: Box; grain: Grain }): Group[] {
  const { layers, bbox, grain } = asked;
  const level = grain.zoom + levelsOfTile;
  const view = viewOf(bbox, level);
  const reach = Math.ceil(grain.radius / cellPixels);
  const piece = { left: view.left, top: view.top, wide: view.right - view.left, high: view.bottom - view.top };
  const grid = createGrid({ layers, level, piece: widened(piece, 3 * reach) });
  const leading = createLeading({ grid, reach, radius: (grain.radius / cellPixels) * columnsOfCell(level) });

  const groups: Group[] = [];
  const { left, top, wide, high } = widened(piece, reach);
  for (let row = top; row < top + high; row++) {
    for (let column = left; column < left + Math.min(wide, grid.across); column++) {
      const cell = grid.at(column, row);
      if (!cell || !leading.leads(cell)) continue;
      const key = `${grain.zoom}/${cell.column}/${cell.row}/${grain.radius}`;
      const group = groupOf({ key, leader: cell, members: leading.membersOf(cell) });
      if (isInside(group, view, level)) groups.push(group);
    }
  }
  return groups;
}

interface View {
  /** Columns and rows of cells; `right` may be beyond the antimeridian. */
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Snapped outward to the grid and by one cell more: a symbol half in view is in it. */
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

function widened<P extends { left: number; top: number; wide: number; high: number }>(piece: P, by: number) {
  const { left, top, wide, high } = piece;
  return { left: left - by, top: top - by, wide: wide + 2 * by, high: high + 2 * by };
}

function createLeading({ grid, reach, radius }: { grid: Grid; reach: number; radius: number }) {
  const leading = new Map<Cell, boolean>();
  const leaders = new Map<Cell, Cell>();
  const near = new Map<Cell, Cell[]>();
  /** Of one cell at a time: lists that grow and sorts that copy would be most of a picture's garbage. */
  const around: Cell[] = [];

  /** The cells within the radius, in their order. */
  function neighboursOf(cell: Cell): Cell[] {
    let found = near.get(cell);
    if (found) return found;
    let count = 0;
    for (let row = cell.row - reach; row <= cell.row + reach; row++) {
      for (let column = cell.column - reach; column <= cell.column + reach; column++) {
        const other = grid.at(column, row);
        if (!other || other === cell || distance(cell, other) >= radius * radius) continue;
        let place = count++;
        for (; place > 0 && byRank(around[place - 1]!, other) > 0; place--) around[place] = around[place - 1]!;
        around[place] = other;
      }
    }
    found = around.slice(0, count);
    near.set(cell, found);
    return found;
  }

  function leads(cell: Cell): boolean {
    let free = leading.get(cell);
    if (free !== undefined) return free;
    free = true;
    for (const other of neighboursOf(cell)) {
      if (byRank(other, cell) > 0) break;
      if (!leads(other)) continue;
      free = false;
      break;
    }
    leading.set(cell, free);
    return free;
  }

  function leaderOf(cell: Cell): Cell {
    if (leads(cell)) return cell;
    let leader = leaders.get(cell);
    if (leader) return leader;
    let least = Infinity;
    for (const other of neighboursOf(cell)) {
      const away = distance(cell, other);
      if (away >= least || !leads(other)) continue;
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

/** Squared. */
function distance(a: Cell, b: Cell): number {
  const across = eastward(a.x, b.x);
  const down = a.y - b.y;
  return across * across + down * down;
}

function byRank(a: Cell, b: Cell): number {
  return a.rank - b.rank || a.row - b.row || a.column - b.column;
}

/** Longitudes and columns are measured from the leader, so that both sides of the antimeridian meet there. */
function groupOf({ key, leader, members }: { key: string; leader: Cell; members: Cell[] }): Group {
  const group: Group = { key, x: 0, y: 0, ...emptySpan(), byKind: leader.byKind.map(() => 0) };
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
    // 180° and -180° are one place, and a box that has both goes from the one to the other
    if (from < west || (from === west && cell.west > group.west)) [west, group.west] = [from, cell.west];
    if (to > east || (to === east && cell.east < group.east)) [east, group.east] = [to, cell.east];
    group.south = Math.min(group.south, cell.south);
    group.north = Math.max(group.north, cell.north);
    group.newest = Math.max(group.newest, cell.newest);
    group.ref = cell.ref;
  }
  // from the corner of a place of the finest grid to its middle
  const x = group.columns / group.count + 0.5;
  group.x = x - Math.floor(x / side) * side;
  group.y = group.rows / group.count + 0.5;
  return group;
}

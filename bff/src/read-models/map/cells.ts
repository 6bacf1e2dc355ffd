import type { DeviceColumns } from '../index/device-table.ts';
import { levels, side } from './mercator.ts';

/** Aggregates of several placed devices. The sums of columns and rows are integers, and exact. */
export interface Aggregate {
  count: number;
  columns: number;
  rows: number;
  west: number;
  south: number;
  east: number;
  north: number;
  /** In ms. */
  newest: number;
  /** Only of a single device. */
  ref: number;
  /** The sum of the numbers that the map shows; undefined if it shows none, or there are none. */
  numbers: NumberSum | undefined;
}

export interface NumberSum {
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** Adds a sum to another one, which may be there. */
export function addNumbers(to: NumberSum | undefined, { count, sum, min, max }: NumberSum): NumberSum {
  if (!to) return { count, sum, min, max };
  to.count += count;
  to.sum += sum;
  to.min = Math.min(to.min, min);
  to.max = Math.max(to.max, max);
  return to;
}

/** A non-empty cell of the grid. */
export interface Cell extends Aggregate {
  column: number;
  row: number;
  /** A fixed pseudo-random order of all cells. */
  rank: number;
  byKind: number[];
  /** The mean position of its devices, in columns and rows of the finest grid. */
  x: number;
  y: number;
}

/** A part of the grid. Columns continue across the antimeridian, so `left` may be less than 0. */
export interface Piece {
  left: number;
  top: number;
  wide: number;
  high: number;
}

export interface Grid {
  /** Columns and rows of cells. */
  across: number;
  /** Undefined if the cell is empty or beyond a pole. */
  at(column: number, row: number): Cell | undefined;
  /** The cells at most so many columns and rows away. */
  around(cell: Cell, reach: number): Cell[];
}

export interface GridOptions {
  level: number;
  /** The view. */
  piece: Piece;
  /** Few cells are requested beyond so many around the view. */
  margin: number;
}

/** Cells that are computed together beyond the piece, in a row and in a column: a power of two. */
const tile = 16;

/**
 * Computes the cells of the view at once, and cells outside of it a tile at a time on request. `load` adds up the devices in
 * the cells of a piece, row by row; its columns continue across the antimeridian.
 */
export function createGrid(options: {
  level: number;
  piece: Piece;
  load: (piece: Piece) => (Cell | undefined)[];
}): Grid {
  const { level, load } = options;
  const across = 2 ** level;
  const piece = withinWorld(options.piece, across);
  const near = load(piece);
  const tiles = new Map<number, (Cell | undefined)[]>();

  function at(anyColumn: number, row: number): Cell | undefined {
    if (row < 0 || row >= across) return undefined;
    const column = eastOf(0, anyColumn, across);
    const east = eastOf(piece.left, column, across);
    const south = row - piece.top;
    if (east < piece.wide && south >= 0 && south < piece.high) return near[south * piece.wide + east];
    const left = column - (column % tile);
    const top = row - (row % tile);
    const key = top * across + left;
    let cells = tiles.get(key);
    if (!cells) {
      cells = load({ left, top, wide: tile, high: tile });
      tiles.set(key, cells);
    }
    return cells[(row - top) * tile + (column - left)];
  }

  return {
    across,
    at,
    around({ column, row }, reach) {
      const found: Cell[] = [];
      const west = eastOf(piece.left, column - reach, across);
      const north = row - reach - piece.top;
      const isWithin = west + 2 * reach < piece.wide && north >= 0 && north + 2 * reach < piece.high;
      for (let down = 0; down <= 2 * reach; down++) {
        const from = (north + down) * piece.wide + west;
        for (let right = 0; right <= 2 * reach; right++) {
          const cell = isWithin ? near[from + right] : at(column - reach + right, row - reach + down);
          if (cell) found.push(cell);
        }
      }
      return found;
    },
  };
}

/** The number of columns east of `from`, modulo the width of the world, a power of two. */
function eastOf(from: number, column: number, across: number): number {
  return (column - from) & (across - 1);
}

/** Extended by some cells. */
export function widened({ left, top, wide, high }: Piece, by: number): Piece {
  return { left: left - by, top: top - by, wide: wide + 2 * by, high: high + 2 * by };
}

function withinWorld({ left, top, wide, high }: Piece, across: number): Piece {
  const first = Math.max(0, top);
  return {
    left: eastOf(0, left, across),
    top: first,
    wide: Math.min(wide, across),
    high: Math.max(0, Math.min(top + high, across) - first),
  };
}

/** Aggregates by the index of their cell in the piece, as columns: an object for each would allocate at each addition. The count of an empty one is 0. */
type Aggregates = ReturnType<typeof emptyAggregates>;

function emptyAggregates(capacity: number) {
  return {
    count: new Uint32Array(capacity),
    columns: new Float64Array(capacity),
    rows: new Float64Array(capacity),
    west: new Float64Array(capacity),
    south: new Float64Array(capacity),
    east: new Float64Array(capacity),
    north: new Float64Array(capacity),
    newest: new Float64Array(capacity),
    ref: new Uint32Array(capacity),
  };
}

/** Adds a device of a table. */
function addDevice(to: Aggregates, index: number, table: DeviceColumns, slot: number): void {
  const longitude = table.longitude[slot]!;
  const latitude = table.latitude[slot]!;
  const changedAt = table.changedAt[slot]!;
  const isFirst = to.count[index] === 0;
  to.count[index]! += 1;
  to.columns[index] = table.x[slot]! + (isFirst ? 0 : to.columns[index]!);
  to.rows[index] = table.y[slot]! + (isFirst ? 0 : to.rows[index]!);
  if (isFirst || longitude < to.west[index]!) to.west[index] = longitude;
  if (isFirst || latitude < to.south[index]!) to.south[index] = latitude;
  if (isFirst || longitude > to.east[index]!) to.east[index] = longitude;
  if (isFirst || latitude > to.north[index]!) to.north[index] = latitude;
  if (isFirst || changedAt > to.newest[index]!) to.newest[index] = changedAt;
  to.ref[index] = table.ref[slot]!;
}

/** Adds up the devices in the cells of a piece. */
export function createCellSums(options: {
  level: number;
  piece: Piece;
  kinds: number;
  /** The numbers that the map shows, by slot; NaN for none. */
  numberAt?: ((slot: number) => number) | undefined;
}) {
  const { level, piece, kinds, numberAt } = options;
  /** By the index of the cell. */
  const numbers = new Map<number, NumberSum>();
  const { left, top, wide, high } = piece;
  const across = 2 ** level;
  const shift = levels - level;
  const size = wide * high;
  const sums = emptyAggregates(size);
  const countsByKind = new Uint32Array(size * kinds);
  /** Copied for each cell: to make an array of a length takes ten times as long. */
  const noKinds = Array.from<number>({ length: kinds }).fill(0);

  function cellAt(index: number): Cell {
    const count = sums.count[index]!;
    const column = (left + (index % wide)) & (across - 1);
    const row = top + Math.floor(index / wide);
    const byKind = noKinds.slice();
    for (let kind = 0; kind < kinds; kind++) byKind[kind] = countsByKind[index * kinds + kind]!;
    return {
      column,
      row,
      rank: rankOf(column, row),
      byKind,
      x: sums.columns[index]! / count,
      y: sums.rows[index]! / count,
      count,
      columns: sums.columns[index]!,
      rows: sums.rows[index]!,
      west: sums.west[index]!,
      south: sums.south[index]!,
      east: sums.east[index]!,
      north: sums.north[index]!,
      newest: sums.newest[index]!,
      ref: sums.ref[index]!,
      numbers: numbers.get(index),
    };
  }

  return {
    /** Adds a device of a table. Those outside of the piece are ignored. */
    addSlot(table: DeviceColumns, slot: number, kind: number): void {
      const down = (table.y[slot]! >>> shift) - top;
      const right = eastOf(left, table.x[slot]! >>> shift, across);
      if (down < 0 || down >= high || right >= wide) return;
      const index = down * wide + right;
      countsByKind[index * kinds + kind]! += 1;
      addDevice(sums, index, table, slot);
      const number = numberAt === undefined ? Number.NaN : numberAt(slot);
      if (!Number.isNaN(number))
        numbers.set(index, addNumbers(numbers.get(index), { count: 1, sum: number, min: number, max: number }));
    },
    /** Row by row. */
    cells(): (Cell | undefined)[] {
      const cells: (Cell | undefined)[] = [];
      for (let index = 0; index < size; index++) cells.push(sums.count[index] === 0 ? undefined : cellAt(index));
      return cells;
    },
  };
}

/** The number of columns of the finest grid in a cell of that level. */
export const columnsOfCell = (level: number) => 2 ** (levels - level);

/** The eastward distance from one x to another, modulo the world. */
export function eastward(from: number, to: number): number {
  const way = to - from;
  if (way > side / 2) return way - side;
  return way < -side / 2 ? way + side : way;
}

function rankOf(column: number, row: number): number {
  let mixed = Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

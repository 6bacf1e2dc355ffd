import type { DeviceColumns } from '../device-table.ts';
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
}

export interface GridOptions {
  level: number;
  /** The view. */
  piece: Piece;
  /** Few cells are requested beyond so many around the view. */
  margin: number;
}

/**
 * Computes the cells of the view at once, and cells outside of it a tile at a time on request. `load` adds up the devices in
 * the cells of a piece, row by row; its columns continue across the antimeridian.
 */
export function createGrid(
  options: GridOptions & {
    load: (piece: Piece) => (Cell | undefined)[];
    /** In cells, a power of two. */
    tile?: number;
  },
): Grid {
  const { level, load, tile = 16 } = options;
  const across = 2 ** level;
  const piece = withinWorld(options.piece, across);
  const near = load(piece);
  const tiles = new Map<number, (Cell | undefined)[]>();

  return {
    across,
    at(anyColumn, row) {
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

export type CellSums = ReturnType<typeof createCellSums>;

/** Adds up the devices in the cells of a piece. In columns of numbers: a sum in an object allocates at each addition. */
export function createCellSums(options: { level: number; piece: Piece; kinds: number }) {
  const { level, piece, kinds } = options;
  const { left, top, wide, high } = piece;
  const across = 2 ** level;
  const shift = levels - level;
  const size = wide * high;
  const counts = new Uint32Array(size);
  const countsByKind = new Uint32Array(size * kinds);
  const columns = new Float64Array(size);
  const rows = new Float64Array(size);
  const west = new Float64Array(size).fill(Infinity);
  const south = new Float64Array(size).fill(Infinity);
  const east = new Float64Array(size).fill(-Infinity);
  const north = new Float64Array(size).fill(-Infinity);
  const newest = new Float64Array(size).fill(-Infinity);
  const refs = new Uint32Array(size);

  function cellAt(place: number): Cell {
    const count = counts[place]!;
    const column = (left + (place % wide)) & (across - 1);
    const row = top + Math.floor(place / wide);
    // `push` would allocate room for 17.
    const byKind = Array.from<number>({ length: kinds });
    for (let kind = 0; kind < kinds; kind++) byKind[kind] = countsByKind[place * kinds + kind]!;
    return {
      column,
      row,
      rank: rankOf(column, row),
      byKind,
      x: columns[place]! / count,
      y: rows[place]! / count,
      count,
      columns: columns[place]!,
      rows: rows[place]!,
      west: west[place]!,
      south: south[place]!,
      east: east[place]!,
      north: north[place]!,
      newest: newest[place]!,
      ref: refs[place]!,
    };
  }

  return {
    /** Adds a device of a table. Those outside of the piece are ignored. */
    addSlot(table: DeviceColumns, slot: number, kind: number): void {
      const x = table.x[slot]!;
      const y = table.y[slot]!;
      const down = (y >>> shift) - top;
      const right = eastOf(left, x >>> shift, across);
      if (down < 0 || down >= high || right >= wide) return;
      const place = down * wide + right;
      counts[place]! += 1;
      countsByKind[place * kinds + kind]! += 1;
      columns[place]! += x;
      rows[place]! += y;
      refs[place] = table.ref[slot]!;
      const longitude = table.longitude[slot]!;
      const latitude = table.latitude[slot]!;
      const changedAt = table.changedAt[slot]!;
      if (longitude < west[place]!) west[place] = longitude;
      if (latitude < south[place]!) south[place] = latitude;
      if (longitude > east[place]!) east[place] = longitude;
      if (latitude > north[place]!) north[place] = latitude;
      if (changedAt > newest[place]!) newest[place] = changedAt;
    },
    /** Adds several devices of one kind, which are in one cell of the piece. */
    add(cell: { column: number; row: number; kind: number }, more: Aggregate): void {
      const place = (cell.row - top) * wide + eastOf(left, cell.column, across);
      counts[place]! += more.count;
      countsByKind[place * kinds + cell.kind]! += more.count;
      columns[place]! += more.columns;
      rows[place]! += more.rows;
      refs[place] = more.ref;
      if (more.west < west[place]!) west[place] = more.west;
      if (more.south < south[place]!) south[place] = more.south;
      if (more.east > east[place]!) east[place] = more.east;
      if (more.north > north[place]!) north[place] = more.north;
      if (more.newest > newest[place]!) newest[place] = more.newest;
    },
    /** Row by row. */
    cells(): (Cell | undefined)[] {
      const cells: (Cell | undefined)[] = [];
      for (let place = 0; place < size; place++) cells.push(counts[place] === 0 ? undefined : cellAt(place));
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

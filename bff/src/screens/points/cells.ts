import { cachedLevels } from './cell-cache.ts';
import type { PointLayerReader } from './point-layer.ts';
import { columnOfKey, levels, rowOfKey, side } from './morton.ts';
import { addPoint } from './points.ts';
import { addAggregate } from './aggregate.ts';
import type { Aggregate } from './aggregate.ts';

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
}

/** By kind; undefined for kinds that are filtered out. */
type Layers = (PointLayerReader | undefined)[];

/** The cells of one level. Coarse levels come from the cache; of other levels only the requested cells are computed. */
export function createGrid({ layers, ...options }: GridOptions & { layers: Layers }): Grid {
  const { level } = options;
  if (level <= cachedLevels) return createWholeGrid(layers, level);
  return createPiecedGrid({ ...options, load: (piece) => cellsOfLayers(layers, level, piece) });
}

function createWholeGrid(layers: Layers, level: number): Grid {
  const across = 2 ** level;
  const cells = Array.from<Cell | undefined>({ length: across * across });
  const cellAt = (column: number, row: number) =>
    (cells[row * across + column] ??= newCell({ column, row }, layers.length));
  for (const [kind, layer] of layers.entries()) {
    layer?.eachCached(level, {
      cell(known) {
        const cell = cellAt(known.column, known.row);
        addAggregate(cell, known);
        cell.byKind[kind]! += known.count;
      },
      point(points, slot) {
        const key = points.key[slot]!;
        const cell = cellAt(columnOfKey(key) >>> (levels - level), rowOfKey(key) >>> (levels - level));
        addPoint(cell, points, slot);
        cell.byKind[kind]! += 1;
      },
    });
  }
  for (const cell of cells) if (cell) setMiddle(cell);
  return {
    across,
    at: (column, row) => (row < 0 || row >= across ? undefined : cells[row * across + eastOf(0, column, across)]),
  };
}

const tile = 16;

/**
 * Computes the cells of the view at once, and cells outside of it a tile at a time on request. `load` adds up the devices in
 * the cells of a piece, row by row; its columns continue across the antimeridian.
 */
export function createPiecedGrid(options: GridOptions & { load: (piece: Piece) => (Cell | undefined)[] }): Grid {
  const across = 2 ** options.level;
  const piece = withinWorld(options.piece, across);
  // A range without remaining devices consists only of gaps.
  const load = (of: Piece) => options.load(of).map((cell) => (cell && cell.count > 0 ? setMiddle(cell) : undefined));
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

function cellsOfLayers(layers: Layers, level: number, { left, top, wide, high }: Piece): (Cell | undefined)[] {
  const across = 2 ** level;
  const cells = Array.from<Cell | undefined>({ length: wide * high });
  const touches = (column: number, row: number, width: number) =>
    row < top + high &&
    row + width > top &&
    ((column < left + wide && column + width > left) || column + across < left + wide);
  for (const [kind, layer] of layers.entries()) {
    layer?.walk((range) => {
      const width = 2 ** (level - range.level);
      if (!touches(range.column * width, range.row * width, width)) return false;
      if (range.level < level) return true;
      const place = (range.row - top) * wide + eastOf(left, range.column, across);
      const cell = (cells[place] ??= newCell(range, layers.length));
      const before = cell.count;
      layer.addTo(cell, range);
      cell.byKind[kind]! += cell.count - before;
      return false;
    });
  }
  return cells;
}

/** The number of columns east of `from`, modulo the width of the world, a power of two. */
function eastOf(from: number, column: number, across: number): number {
  return (column - from) & (across - 1);
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

/** An explicit literal, because thousands are created for each view. */
export function newCell({ column, row }: { column: number; row: number }, kinds: number): Cell {
  const byKind: number[] = [];
  for (let kind = 0; kind < kinds; kind++) byKind.push(0);
  return {
    column,
    row,
    rank: rankOf(column, row),
    byKind,
    x: 0,
    y: 0,
    count: 0,
    columns: 0,
    rows: 0,
    west: Infinity,
    south: Infinity,
    east: -Infinity,
    north: -Infinity,
    newest: -Infinity,
    ref: 0,
  };
}

function setMiddle(cell: Cell): Cell {
  cell.x = cell.columns / cell.count;
  cell.y = cell.rows / cell.count;
  return cell;
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

/**
 * The placed devices of a table by the cells of a coarse level of the map's grid. The devices of one kind in one cell are
 * a bin: a list of slots and their aggregates. A move costs the same in a full cell as in an empty one.
 */
import { grown, kinds, type DeviceTable } from '../device-table.ts';
import { createRefHashMap } from '../ref-hash-map.ts';
import { addToStrip, boundsOfStrips, newStrips, stripLevel, type Box } from './bounds.ts';
import {
  createCellSums,
  createGrid,
  widened,
  type Aggregate,
  type Cell,
  type CellSums,
  type Grid,
  type GridOptions,
  type Piece,
} from './cells.ts';
import { columnOf, levels, rowOf } from './mercator.ts';

export type CoarseCells = ReturnType<typeof createCoarseCells>;
/** The kinds to include (device-table.ts). */
export type KindFilter = (kind: number) => boolean;
const everyKind = () => true;

/** A cell of this level is 1.4° wide. A view of a town reads the devices of a few cells. */
const coarseLevel = 8;
const across = 2 ** coarseLevel;
const shift = levels - coarseLevel;
/** In crowded bins, the cells of this level are cached: the view of a country can have 100,000 devices. */
const fineLevel = 10;
/** In bytes, about. */
const perFineCell = 300;
/** Fewer cells around the view: the others are read with their coarse cells. */
const nearby = 2;
/** Coarse cells with at most so many cells in a row are read as a whole. */
const mostPerCoarseCell = 8;
const world: Piece = { left: 0, top: 0, wide: across, high: across };
const leastBins = 16;
const growth = 1.5;

/** `enter` and `leave` are the table's callbacks. `crowded`: the least number of devices in a crowded bin. */
export function createCoarseCells(table: Pick<DeviceTable, 'columns' | 'profiles' | 'size'>, { crowded = 128 } = {}) {
  /** The first bin of each cell that has one. */
  const firstBins = createRefHashMap();
  let bins = emptyBins(leastBins);
  /** The bins from 0 to here are used or free. */
  let end = 0;
  const freeBins: number[] = [];
  /** The neighbours of each slot in the list of its bin, plus 1; 0 at its ends. */
  let nextSlot = new Uint32Array(0);
  let previousSlot = new Uint32Array(0);
  /** The cells of the fine level in the crowded bins that views have read, until the bin changes. */
  const fineCells = new Map<number, Cell[]>();
  let fineCellCount = 0;
  const aggregate: Aggregate = {
    count: 0,
    columns: 0,
    rows: 0,
    west: 0,
    south: 0,
    east: 0,
    north: 0,
    newest: 0,
    ref: 0,
  };

  const kindOf = (slot: number) => table.profiles[table.columns.profile[slot]!]!.kind;
  const cellOf = (slot: number) => (table.columns.y[slot]! >>> shift) * across + (table.columns.x[slot]! >>> shift);
  const isPlaced = (slot: number) => !Number.isNaN(table.columns.longitude[slot]!);

  function findBin(cell: number, kind: number): number | undefined {
    let bin = firstBins.get(cell + 1);
    while (bin !== undefined && bins.kind[bin] !== kind) bin = after(bin);
    return bin;
  }

  const after = (bin: number) => (bins.next[bin] === 0 ? undefined : bins.next[bin]! - 1);

  function addBin(cell: number, kind: number): number {
    const bin = freeBins.pop() ?? end++;
    if (bin === bins.cell.length) bins = grown(bins, emptyBins(Math.ceil(bin * growth)));
    bins.cell[bin] = cell;
    bins.kind[bin] = kind;
    bins.next[bin] = (firstBins.get(cell + 1) ?? -1) + 1;
    bins.firstSlot[bin] = 0;
    bins.count[bin] = 0;
    bins.columns[bin] = 0;
    bins.rows[bin] = 0;
    clearExtremes(bin);
    firstBins.set(cell + 1, bin);
    return bin;
  }

  function removeBin(bin: number) {
    const cell = bins.cell[bin]!;
    const first = firstBins.get(cell + 1)!;
    const next = after(bin);
    if (first !== bin) {
      let before = first;
      while (bins.next[before] !== bin + 1) before = bins.next[before]! - 1;
      bins.next[before] = bins.next[bin]!;
    } else if (next === undefined) firstBins.delete(cell + 1);
    else firstBins.set(cell + 1, next);
    freeBins.push(bin);
  }

  function clearExtremes(bin: number) {
    bins.west[bin] = Infinity;
    bins.south[bin] = Infinity;
    bins.east[bin] = -Infinity;
    bins.north[bin] = -Infinity;
    bins.newest[bin] = -Infinity;
    bins.isStale[bin] = 0;
  }

  function addExtremes(bin: number, slot: number) {
    const { columns } = table;
    const longitude = columns.longitude[slot]!;
    const latitude = columns.latitude[slot]!;
    const at = columns.changedAt[slot]!;
    if (longitude < bins.west[bin]!) bins.west[bin] = longitude;
    if (latitude < bins.south[bin]!) bins.south[bin] = latitude;
    if (longitude > bins.east[bin]!) bins.east[bin] = longitude;
    if (latitude > bins.north[bin]!) bins.north[bin] = latitude;
    if (at > bins.newest[bin]!) bins.newest[bin] = at;
  }

  /** Extent and newest change cannot be subtracted: they are computed again when they are read. */
  function isExtreme(bin: number, slot: number): boolean {
    const { longitude, latitude, changedAt } = table.columns;
    return (
      longitude[slot] === bins.west[bin] ||
      longitude[slot] === bins.east[bin] ||
      latitude[slot] === bins.south[bin] ||
      latitude[slot] === bins.north[bin] ||
      changedAt[slot] === bins.newest[bin]
    );
  }

  function refresh(bin: number) {
    clearExtremes(bin);
    for (let slot = bins.firstSlot[bin]!; slot !== 0; slot = nextSlot[slot - 1]!) addExtremes(bin, slot - 1);
  }

  /** The bins in an area. */
  function binsIn({ left, top, wide, high }: Piece, includesKind: KindFilter): Uint32Array {
    const found = new Uint32Array(end);
    let length = 0;
    if (wide * high > end) {
      for (let bin = 0; bin < end; bin++) {
        const row = bins.cell[bin]! >>> coarseLevel;
        const east = (bins.cell[bin]! - left) & (across - 1);
        const isInside = bins.count[bin]! > 0 && row >= top && row < top + high && east < wide;
        if (isInside && includesKind(bins.kind[bin]!)) found[length++] = bin;
      }
      return found.subarray(0, length);
    }
    for (let row = Math.max(0, top); row < Math.min(across, top + high); row++) {
      for (let column = left; column < left + wide; column++) {
        let bin = firstBins.get(row * across + (column & (across - 1)) + 1);
        for (; bin !== undefined; bin = after(bin)) if (includesKind(bins.kind[bin]!)) found[length++] = bin;
      }
    }
    return found.subarray(0, length);
  }

  /** The object is reused: valid until the next call. */
  function aggregateOf(bin: number): Aggregate {
    if (bins.isStale[bin] === 1) refresh(bin);
    aggregate.count = bins.count[bin]!;
    aggregate.columns = bins.columns[bin]!;
    aggregate.rows = bins.rows[bin]!;
    aggregate.west = bins.west[bin]!;
    aggregate.south = bins.south[bin]!;
    aggregate.east = bins.east[bin]!;
    aggregate.north = bins.north[bin]!;
    aggregate.newest = bins.newest[bin]!;
    // Far away in memory: to read it for each bin would take longer than the rest.
    aggregate.ref = aggregate.count === 1 ? table.columns.ref[bins.firstSlot[bin]! - 1]! : 0;
    return aggregate;
  }

  function addSlots(sums: CellSums, bin: number, kind: number) {
    const { columns } = table;
    for (let slot = bins.firstSlot[bin]!; slot !== 0; slot = nextSlot[slot - 1]!) sums.addSlot(columns, slot - 1, kind);
  }

  function fineCellsOf(bin: number): Cell[] {
    let cells = fineCells.get(bin);
    if (!cells) {
      const cell = bins.cell[bin]!;
      const wide = 2 ** (fineLevel - coarseLevel);
      const piece = { left: (cell & (across - 1)) * wide, top: (cell >>> coarseLevel) * wide, wide, high: wide };
      const sums = createCellSums({ level: fineLevel, piece, kinds: 1 });
      addSlots(sums, bin, 0);
      cells = sums.cells().filter((each) => each !== undefined);
      fineCells.set(bin, cells);
      fineCellCount += cells.length;
    }
    return cells;
  }

  function changed(bin: number) {
    const cells = fineCells.get(bin);
    if (!cells) return;
    fineCells.delete(bin);
    fineCellCount -= cells.length;
  }

  /** Sums up bins on the coarse levels, and single devices on the finer ones. */
  function cellsIn(piece: Piece, level: number, includesKind: KindFilter) {
    const sums = createCellSums({ level, piece, kinds });
    const coarser = Math.max(0, coarseLevel - level);
    for (const bin of binsIn(coarsePiece(piece, level), includesKind)) {
      const kind = bins.kind[bin]!;
      if (level <= coarseLevel) {
        const cell = bins.cell[bin]!;
        const column = (cell & (across - 1)) >>> coarser;
        sums.add({ column, row: cell >>> (coarseLevel + coarser), kind }, aggregateOf(bin));
      } else if (level <= fineLevel && bins.count[bin]! >= crowded) {
        const finer = fineLevel - level;
        for (const cell of fineCellsOf(bin)) {
          sums.add({ column: cell.column >>> finer, row: cell.row >>> finer, kind }, cell);
        }
      } else addSlots(sums, bin, kind);
    }
    return sums.cells();
  }

  return {
    /** The device is in its slot now. */
    enter(slot: number): void {
      if (!isPlaced(slot)) return;
      if (slot >= nextSlot.length) {
        nextSlot = longer(nextSlot, table.columns.ref.length);
        previousSlot = longer(previousSlot, table.columns.ref.length);
      }
      const cell = cellOf(slot);
      const kind = kindOf(slot);
      const bin = findBin(cell, kind) ?? addBin(cell, kind);
      const first = bins.firstSlot[bin]!;
      nextSlot[slot] = first;
      previousSlot[slot] = 0;
      if (first !== 0) previousSlot[first - 1] = slot + 1;
      bins.firstSlot[bin] = slot + 1;
      changed(bin);
      bins.count[bin]! += 1;
      bins.columns[bin]! += table.columns.x[slot]!;
      bins.rows[bin]! += table.columns.y[slot]!;
      addExtremes(bin, slot);
    },
    /** The device is still in its slot. */
    leave(slot: number): void {
      if (!isPlaced(slot)) return;
      const bin = findBin(cellOf(slot), kindOf(slot))!;
      const next = nextSlot[slot]!;
      const previous = previousSlot[slot]!;
      if (previous === 0) bins.firstSlot[bin] = next;
      else nextSlot[previous - 1] = next;
      if (next !== 0) previousSlot[next - 1] = previous;
      changed(bin);
      bins.count[bin]! -= 1;
      bins.columns[bin]! -= table.columns.x[slot]!;
      bins.rows[bin]! -= table.columns.y[slot]!;
      if (bins.count[bin] === 0) removeBin(bin);
      else if (isExtreme(bin, slot)) bins.isStale[bin] = 1;
    },

    /** The cells of the devices of some kinds. */
    gridOf(options: GridOptions & { includesKind: KindFilter }): Grid {
      const { level, piece, margin, includesKind } = options;
      const load = (of: Piece) => cellsIn(of, level, includesKind);
      const perCoarseCell = 2 ** (level - coarseLevel);
      // Each coarse cell costs as much as it has devices. On finer levels, the margin is within few of them.
      const readsWholeCells = perCoarseCell > 1 && perCoarseCell <= mostPerCoarseCell;
      if (!readsWholeCells) return createGrid({ level, piece: widened(piece, margin), margin, load });
      return createGrid({
        level,
        piece: aligned(widened(piece, nearby), perCoarseCell),
        margin,
        load,
        tile: perCoarseCell,
      });
    },
    /** The slots of the devices in the cells that the box touches; undefined if a scan of the table is faster. */
    slotsNear([west, south, east, north]: Box): Uint32Array | undefined {
      const left = columnOf(west) >>> shift;
      const top = rowOf(north) >>> shift;
      const wide = (columnOf(east) >>> shift) - left + 1 + (west > east ? across : 0);
      const piece = { left, top, wide: Math.min(across, wide), high: (rowOf(south) >>> shift) - top + 1 };
      const near = binsIn(piece, everyKind);
      let count = 0;
      for (const bin of near) count += bins.count[bin]!;
      if (count > table.size / 4) return undefined;
      const slots = new Uint32Array(count);
      for (const bin of near) {
        for (let slot = bins.firstSlot[bin]!; slot !== 0; slot = nextSlot[slot - 1]!) slots[--count] = slot - 1;
      }
      return slots;
    },
    /** The smallest box around the devices of some kinds; null if there are none. */
    bounds(includesKind: KindFilter): Box | null {
      const strips = newStrips();
      for (const bin of binsIn(world, includesKind)) {
        const column = bins.cell[bin]! & (across - 1);
        addToStrip(strips, column >>> (coarseLevel - stripLevel), aggregateOf(bin));
      }
      return boundsOfStrips(strips);
    },
    get bytes(): number {
      const perBin = Object.values(bins).reduce((sum, { BYTES_PER_ELEMENT }) => sum + BYTES_PER_ELEMENT, 0);
      return nextSlot.byteLength + previousSlot.byteLength + bins.cell.length * perBin + fineCellCount * perFineCell;
    },
  };
}

/** The part of the coarse level that covers a piece of another level. */
function coarsePiece({ left, top, wide, high }: Piece, level: number): Piece {
  const scale = 2 ** (coarseLevel - level);
  const west = Math.floor(left * scale);
  const north = Math.floor(top * scale);
  return {
    left: west,
    top: north,
    wide: Math.min(across, Math.ceil((left + wide) * scale) - west),
    high: Math.ceil((top + high) * scale) - north,
  };
}

/** Extended to whole tiles. */
function aligned({ left, top, wide, high }: Piece, tile: number): Piece {
  const down = (value: number) => Math.floor(value / tile) * tile;
  const up = (value: number) => Math.ceil(value / tile) * tile;
  return { left: down(left), top: down(top), wide: up(left + wide) - down(left), high: up(top + high) - down(top) };
}

function emptyBins(capacity: number) {
  return {
    /** Row by row. */
    cell: new Uint32Array(capacity),
    kind: new Uint8Array(capacity),
    /** The next bin of the same cell, plus 1; 0 for the last one. */
    next: new Uint32Array(capacity),
    /** The first slot of its list, plus 1. */
    firstSlot: new Uint32Array(capacity),
    /** 0 in a free bin. */
    count: new Uint32Array(capacity),
    /** The sums of columns and rows of the finest grid: integers, and exact. */
    columns: new Float64Array(capacity),
    rows: new Float64Array(capacity),
    west: new Float64Array(capacity),
    south: new Float64Array(capacity),
    east: new Float64Array(capacity),
    north: new Float64Array(capacity),
    /** In ms. */
    newest: new Float64Array(capacity),
    /** Whether a device has left that had an extreme value. */
    isStale: new Uint8Array(capacity),
  };
}

function longer(old: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const made = new Uint32Array(length);
  made.set(old);
  return made;
}

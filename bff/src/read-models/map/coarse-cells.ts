/**
 * The placed devices of a table by the cells of a coarse level of the map's grid. The devices of one kind in one cell are
 * a bin: a list of slots and their aggregates. A move costs the same in a full cell as in an empty one.
 */
import { grown, type DeviceTable } from '../device-table.ts';
import { createRefHashMap } from '../ref-hash-map.ts';
import { boundsOfStrips, newStrips, stripLevel, type Box } from './bounds.ts';
import {
  addExtent,
  addDevice,
  createCellSums,
  createGrid,
  emptyAggregates,
  widened,
  type Aggregates,
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
const fineSide = 2 ** (fineLevel - coarseLevel);
/** In bytes, about. */
const perFineCell = 70;
/** Fewer cells around the view: the others are read with their coarse cells. */
const nearby = 2;
/** Coarse cells with at most so many cells in a row are read as a whole. */
const mostPerCoarseCell = 8;
const world: Piece = { left: 0, top: 0, wide: across, high: across };
/** The time to look up a cell, in times of reading a bin. */
const lookUp = 4;
const leastBins = 16;
const growth = 1.5;

/** `enter` and `leave` are the table's callbacks. `crowded`: the least number of devices in a crowded bin. */
export function createCoarseCells(
  table: Pick<DeviceTable, 'columns' | 'kinds' | 'profiles' | 'size'>,
  { crowded = 32 } = {},
) {
  /** The first bin of each cell that has one. */
  const firstBins = createRefHashMap();
  let bins = emptyBins(leastBins);
  let sums = emptyAggregates(leastBins);
  /** The bins from 0 to here are used or free. */
  let end = 0;
  const freeBins: number[] = [];
  /** The neighbours of each slot in the list of its bin, plus 1; 0 at its ends. */
  let nextSlot = new Uint32Array(0);
  let previousSlot = new Uint32Array(0);
  /** The cells of the fine level in the crowded bins that views have read, until the bin changes. */
  const fineCells = new Map<number, Aggregates>();

  const kindOf = (slot: number) => table.profiles[table.columns.profile[slot]!]!.kind;
  const cellOf = (slot: number) => (table.columns.y[slot]! >>> shift) * across + (table.columns.x[slot]! >>> shift);
  const placeOf = (bin: number) => ({ column: bins.cell[bin]! & (across - 1), row: bins.cell[bin]! >>> coarseLevel });
  const isPlaced = (slot: number) => !Number.isNaN(table.columns.longitude[slot]!);

  function findBin(cell: number, kind: number): number | undefined {
    let bin = firstBins.get(cell + 1);
    while (bin !== undefined && bins.kind[bin] !== kind) bin = after(bin);
    return bin;
  }

  const after = (bin: number) => (bins.next[bin] === 0 ? undefined : bins.next[bin]! - 1);

  function addBin(cell: number, kind: number): number {
    const bin = freeBins.pop() ?? end++;
    if (bin === bins.cell.length) {
      bins = grown(bins, emptyBins(Math.ceil(bin * growth)));
      sums = grown(sums, emptyAggregates(bins.cell.length));
    }
    bins.cell[bin] = cell;
    bins.kind[bin] = kind;
    bins.next[bin] = (firstBins.get(cell + 1) ?? -1) + 1;
    bins.firstSlot[bin] = 0;
    bins.isStale[bin] = 0;
    sums.count[bin] = 0;
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

  /** Extent and newest change cannot be subtracted: they are computed again when they are read. */
  function isExtreme(bin: number, slot: number): boolean {
    const { longitude, latitude, changedAt } = table.columns;
    return (
      longitude[slot] === sums.west[bin] ||
      longitude[slot] === sums.east[bin] ||
      latitude[slot] === sums.south[bin] ||
      latitude[slot] === sums.north[bin] ||
      changedAt[slot] === sums.newest[bin]
    );
  }

  function refresh(bin: number) {
    sums.count[bin] = 0;
    bins.isStale[bin] = 0;
    for (let slot = bins.firstSlot[bin]!; slot !== 0; slot = nextSlot[slot - 1]!) {
      addDevice(sums, bin, table.columns, slot - 1);
    }
  }

  /** Visits the bins in an area. To look up a cell takes longer than to read a bin in order. */
  function eachBin({ left, top, wide, high }: Piece, includesKind: KindFilter, visit: (bin: number) => void) {
    if (lookUp * wide * high > end) {
      for (let bin = 0; bin < end; bin++) {
        const { column, row } = placeOf(bin);
        const isInside = row >= top && row < top + high && ((column - left) & (across - 1)) < wide;
        if (isInside && sums.count[bin]! > 0 && includesKind(bins.kind[bin]!)) visit(bin);
      }
      return;
    }
    for (let row = Math.max(0, top); row < Math.min(across, top + high); row++) {
      for (let column = left; column < left + wide; column++) {
        let bin = firstBins.get(row * across + (column & (across - 1)) + 1);
        for (; bin !== undefined; bin = after(bin)) if (includesKind(bins.kind[bin]!)) visit(bin);
      }
    }
  }

  function addSlots(to: CellSums, bin: number, kind: number) {
    const { columns } = table;
    for (let slot = bins.firstSlot[bin]!; slot !== 0; slot = nextSlot[slot - 1]!) to.addSlot(columns, slot - 1, kind);
  }

  /** The place of a fine cell is that in its coarse cell, row by row. */
  function fineCellsOf(bin: number): Aggregates {
    let cells = fineCells.get(bin);
    if (!cells) {
      const { column, row } = placeOf(bin);
      const piece = { left: column * fineSide, top: row * fineSide, wide: fineSide, high: fineSide };
      const added = createCellSums({ level: fineLevel, piece, kinds: 1 });
      addSlots(added, bin, 0);
      cells = added.sums;
      fineCells.set(bin, cells);
    }
    return cells;
  }

  /** Sums up bins on the coarse levels, and single devices on the finer ones. */
  function cellsIn(piece: Piece, level: number, includesKind: KindFilter) {
    const added = createCellSums({ level, piece, kinds: table.kinds });
    const coarser = Math.max(0, coarseLevel - level);
    const finer = fineLevel - level;
    eachBin(coarsePiece(piece, level), includesKind, (bin) => {
      const kind = bins.kind[bin]!;
      if (level > fineLevel || (level > coarseLevel && sums.count[bin]! < crowded)) {
        addSlots(added, bin, kind);
        return;
      }
      const { column, row } = placeOf(bin);
      if (level <= coarseLevel) {
        if (bins.isStale[bin] === 1) refresh(bin);
        added.add({ column: column >>> coarser, row: row >>> coarser, kind }, sums, bin);
        return;
      }
      const cells = fineCellsOf(bin);
      for (let place = 0; place < cells.count.length; place++) {
        if (cells.count[place] === 0) continue;
        const fineColumn = column * fineSide + (place % fineSide);
        const fineRow = row * fineSide + Math.floor(place / fineSide);
        added.add({ column: fineColumn >>> finer, row: fineRow >>> finer, kind }, cells, place);
      }
    });
    return added.cells();
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
      fineCells.delete(bin);
      addDevice(sums, bin, table.columns, slot);
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
      fineCells.delete(bin);
      sums.count[bin]! -= 1;
      sums.columns[bin]! -= table.columns.x[slot]!;
      sums.rows[bin]! -= table.columns.y[slot]!;
      if (sums.count[bin] === 0) removeBin(bin);
      else if (sums.count[bin] === 1 || isExtreme(bin, slot)) bins.isStale[bin] = 1;
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
      const near: number[] = [];
      let count = 0;
      eachBin(piece, everyKind, (bin) => {
        near.push(bin);
        count += sums.count[bin]!;
      });
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
      eachBin(world, includesKind, (bin) => {
        if (bins.isStale[bin] === 1) refresh(bin);
        addExtent(strips, placeOf(bin).column >>> (coarseLevel - stripLevel), sums, bin);
      });
      return boundsOfStrips(strips);
    },
    get bytes(): number {
      const perBin = [bins, sums]
        .flatMap((columns) => Object.values(columns))
        .reduce((sum, { BYTES_PER_ELEMENT }) => sum + BYTES_PER_ELEMENT, 0);
      const perFine = perFineCell * fineSide ** 2;
      return nextSlot.byteLength + previousSlot.byteLength + bins.cell.length * perBin + fineCells.size * perFine;
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
    /** Whether a device has left that had an extreme value. */
    isStale: new Uint8Array(capacity),
  };
}

function longer(old: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const made = new Uint32Array(length);
  made.set(old);
  return made;
}

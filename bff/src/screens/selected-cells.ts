/** Cells and bounds of devices that a query has selected. Each is a scan of their slots. */
import { boundsOfStrips, stripOf, strips } from './points/bounds.ts';
import type { Box } from './points/bounds.ts';
import { emptyAggregate } from './points/aggregate.ts';
import type { Aggregate } from './points/aggregate.ts';
import { createPiecedGrid, newCell } from './points/cells.ts';
import type { Cell, Grid, Piece } from './points/cells.ts';
import { levels } from './points/morton.ts';
import type { DeviceColumns } from './device-table.ts';

/** Devices with a position. */
export interface SelectedDevices {
  columns: DeviceColumns;
  slots: Uint32Array;
  /** The number of kinds, and the kind of a slot. */
  kinds: number;
  kindOf: (slot: number) => number;
}

export function createSelectedGrid(options: SelectedDevices & { level: number; piece: Piece }): Grid {
  const { columns, slots, kinds, kindOf, level, piece } = options;
  const { x, y } = columns;
  const across = 2 ** level;
  const shift = levels - level;

  function load({ left, top, wide, high }: Piece): (Cell | undefined)[] {
    const cells = Array.from<Cell | undefined>({ length: wide * high });
    for (let place = 0; place < slots.length; place++) {
      const slot = slots[place]!;
      const row = y[slot]! >>> shift;
      if (row < top || row >= top + high) continue;
      const column = x[slot]! >>> shift;
      const east = (column - left) & (across - 1);
      if (east >= wide) continue;
      const cell = (cells[(row - top) * wide + east] ??= newCell({ column, row }, kinds));
      addSlot(cell, columns, slot);
      cell.byKind[kindOf(slot)]! += 1;
    }
    return cells;
  }

  return createPiecedGrid({ level, piece, load });
}

/** The smallest box around the devices; null if there are none. */
export function boundsOfSelected({ columns, slots }: Pick<SelectedDevices, 'columns' | 'slots'>): Box | null {
  const inStrips = Array.from({ length: strips }, emptyAggregate);
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!;
    addSlot(inStrips[stripOf(columns.x[slot]!)]!, columns, slot);
  }
  return boundsOfStrips(inStrips);
}

function addSlot(aggregate: Aggregate, columns: DeviceColumns, slot: number): void {
  const longitude = columns.longitude[slot]!;
  const latitude = columns.latitude[slot]!;
  const changedAt = columns.changedAt[slot]!;
  aggregate.count += 1;
  aggregate.columns += columns.x[slot]!;
  aggregate.rows += columns.y[slot]!;
  aggregate.ref = columns.ref[slot]!;
  if (longitude < aggregate.west) aggregate.west = longitude;
  if (latitude < aggregate.south) aggregate.south = latitude;
  if (longitude > aggregate.east) aggregate.east = longitude;
  if (latitude > aggregate.north) aggregate.north = latitude;
  if (changedAt > aggregate.newest) aggregate.newest = changedAt;
}

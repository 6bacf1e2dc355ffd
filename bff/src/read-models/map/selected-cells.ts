/** Cells and bounds of devices that a query has selected. Each is a scan of their slots. */
import type { DeviceTable } from '../device-table.ts';
import { boundsOfStrips, newStrips, stripOf, type Box } from './bounds.ts';
import { addDevice, createCellSums, createGrid, widened, type Grid, type GridOptions, type Piece } from './cells.ts';

/** Devices with a position. */
interface SelectedDevices {
  table: Pick<DeviceTable, 'columns' | 'kinds' | 'profiles'>;
  slots: Uint32Array;
}

export function createSelectedGrid(options: SelectedDevices & GridOptions): Grid {
  const { table, slots, level, margin } = options;
  const { columns, kinds, profiles } = table;
  const kindOf = Uint8Array.from(profiles, (profile) => profile?.kind ?? 0);

  function load(piece: Piece) {
    const sums = createCellSums({ level, piece, kinds });
    for (let place = 0; place < slots.length; place++) {
      const slot = slots[place]!;
      sums.addSlot(columns, slot, kindOf[columns.profile[slot]!]!);
    }
    return sums.cells();
  }

  // Each tile beyond the margin is one more scan.
  return createGrid({ ...options, piece: widened(options.piece, 2 * margin), load });
}

/** The smallest box around the devices; null if there are none. */
export function boundsOfSelected({ table: { columns }, slots }: SelectedDevices): Box | null {
  const strips = newStrips();
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!;
    addDevice(strips, stripOf(columns.x[slot]!), columns, slot);
  }
  return boundsOfStrips(strips);
}

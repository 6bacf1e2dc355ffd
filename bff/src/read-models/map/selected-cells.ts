import type { DeviceTable } from '../index/device-table.ts';
import { createCellSums, createGrid, widened, type Grid, type GridOptions, type Piece } from './cells.ts';

/** The grid of placed devices of a table. Each part of it is a scan of their slots. */
export function createSelectedGrid(
  options: {
    table: Pick<DeviceTable, 'columns' | 'kinds' | 'profiles'>;
    slots: Uint32Array;
    numberAt?: ((slot: number) => number) | undefined;
  } & GridOptions,
): Grid {
  const { table, slots, numberAt, level, piece, margin } = options;
  const { columns, kinds, profiles } = table;
  const kindOf = Uint8Array.from(profiles, (profile) => profile?.kind ?? 0);

  function load(part: Piece) {
    const sums = createCellSums({ level, piece: part, kinds, numberAt });
    for (let place = 0; place < slots.length; place++) {
      const slot = slots[place]!;
      sums.addSlot(columns, slot, kindOf[columns.profile[slot]!]!);
    }
    return sums.cells();
  }

  // Each tile beyond the margin is one more scan.
  return createGrid({ level, piece: widened(piece, 2 * margin), load });
}

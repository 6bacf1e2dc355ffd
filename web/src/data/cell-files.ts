import { filled, folder } from 'virtual:cells';
import type { CellKind } from './cells.ts';
import { loadBytes } from './client.ts';

/** The file of a cell; undefined if there is nothing in it. */
export async function loadCell(kind: CellKind, cell: number): Promise<ArrayBuffer | undefined> {
  const bits = Number.parseInt(filled[kind]![Math.floor(cell / 4)]!, 16);
  return (bits >> (cell % 4)) & 1 ? loadBytes(`${folder}${kind}-${cell}.bin`) : undefined;
}

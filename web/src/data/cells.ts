/** Cells of the map: where a user looks closely, only these parts of the land and of the places are loaded. */

/** What is divided into cells (cells.plugin.ts). */
export const cellKinds = ['land', 'water', 'towns', 'villages'] as const;
export type CellKind = (typeof cellKinds)[number];

/** In degrees. */
const SIZE = 10;
export const COLUMNS = 360 / SIZE;
export const ROWS = 180 / SIZE;

interface Degrees {
  west: number;
  south: number;
  /** Greater than `west`. */
  east: number;
  north: number;
}

const columnOf = (longitude: number) => Math.floor((longitude + 180) / SIZE);
const rowOf = (latitude: number) => Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) / SIZE)));

/** The cells of a box, which may cross the antimeridian: their numbers, row by row from the south west. */
export function cellsIn({ west, south, east, north }: Degrees): number[] {
  const columns = Math.min(COLUMNS, columnOf(east) - columnOf(west) + 1);
  const rows = rowOf(north) - rowOf(south) + 1;
  return Array.from({ length: columns * rows }, (_, at) => {
    const column = columnOf(west) + (at % columns);
    const row = rowOf(south) + Math.floor(at / columns);
    return row * COLUMNS + (((column % COLUMNS) + COLUMNS) % COLUMNS);
  });
}

export function cellAt(longitude: number, latitude: number): number {
  return cellsIn({ west: longitude, south: latitude, east: longitude, north: latitude })[0]!;
}

export function boxOfCell(cell: number): Degrees {
  const west = (cell % COLUMNS) * SIZE - 180;
  const south = Math.floor(cell / COLUMNS) * SIZE - 90;
  return { west, south, east: west + SIZE, north: south + SIZE };
}

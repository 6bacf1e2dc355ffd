import { boxOfCell, COLUMNS, ROWS } from '../../../data/cells.ts';
import type { Rect } from '../geometry/boxes.ts';
import { worldX, worldY } from '../geometry/mercator.ts';

/** The grid of the cells, as a power of two. */
export const cellGridBits = 18;
/** Below the southern edge of the world, where no frame reaches. */
export const BELOW = 4;
/** Neighbours overlap by 2 px at zoom 7: otherwise, the sea would show between two that are painted in turn. */
const OVERLAP = 2 / (256 * 2 ** 7);

const onGrid = (value: number) => Math.round(value * 2 ** cellGridBits) / 2 ** cellGridBits;

/** What the file of a cell has, in world units: the edges at which its land is cut. The first and the last row have all beyond. */
export function boundsOfCell(cell: number): Rect {
  const { west, south, east, north } = boxOfCell(cell);
  return {
    left: onGrid(worldX(west) - OVERLAP),
    right: onGrid(worldX(east) + OVERLAP),
    top: cell >= COLUMNS * (ROWS - 1) ? -BELOW : onGrid(worldY(north) - OVERLAP),
    bottom: cell < COLUMNS ? BELOW : onGrid(worldY(south) + OVERLAP),
  };
}

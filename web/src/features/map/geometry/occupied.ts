import { covers, overlaps } from './boxes.ts';
import type { Box, Spot } from './boxes.ts';

/** The size of a grid cell in px. Similar to the size of the items. */
const CELL = 64;
const ROW = 1 << 12;

/** The occupied area, in a grid, so that a query takes the same time for any number of items. */
export class Occupied {
  private readonly boxes = new Map<number, Box[]>();
  private readonly spots = new Map<number, Spot[]>();

  addBox(box: Box): void {
    put(this.boxes, box, box);
  }

  addSpot(spot: Spot): void {
    const { x, y, radius } = spot;
    put(this.spots, spot, { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius });
  }

  isFree(box: Box): boolean {
    for (const cell of cellsOf(box)) {
      if (this.boxes.get(cell)?.some((other) => overlaps(other, box))) return false;
      if (this.spots.get(cell)?.some((spot) => covers(spot, box))) return false;
    }
    return true;
  }
}

function put<Thing>(grid: Map<number, Thing[]>, thing: Thing, box: Box): void {
  for (const cell of cellsOf(box)) {
    const there = grid.get(cell);
    if (there) there.push(thing);
    else grid.set(cell, [thing]);
  }
}

function cellsOf({ left, top, right, bottom }: Box): number[] {
  const cells: number[] = [];
  for (let row = Math.floor(top / CELL); row * CELL <= bottom; row += 1) {
    for (let column = Math.floor(left / CELL); column * CELL <= right; column += 1) cells.push(row * ROW + column);
  }
  return cells;
}

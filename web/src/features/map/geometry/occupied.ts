import { covers, overlaps, type Disc, type Rect } from './boxes.ts';

/** The size of a grid cell in px. Similar to the size of the items. */
const CELL = 64;
const ROW = 1 << 12;

/** The occupied area, in a grid, so that a query takes the same time for any number of items. */
export class Occupied {
  private readonly boxes = new Map<number, Rect[]>();
  private readonly discs = new Map<number, Disc[]>();

  addBox(box: Rect): void {
    put(this.boxes, box, box);
  }

  addDisc(disc: Disc): void {
    const { x, y, radius } = disc;
    put(this.discs, disc, { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius });
  }

  /** A disc that covers a part of the box. */
  discOver(box: Rect): Disc | undefined {
    return cellsOf(box)
      .flatMap((cell) => this.discs.get(cell) ?? [])
      .find((disc) => covers(disc, box));
  }

  isFree(box: Rect): boolean {
    for (const cell of cellsOf(box)) {
      if (this.boxes.get(cell)?.some((other) => overlaps(other, box))) return false;
      if (this.discs.get(cell)?.some((disc) => covers(disc, box))) return false;
    }
    return true;
  }
}

function put<Thing>(grid: Map<number, Thing[]>, thing: Thing, box: Rect): void {
  for (const cell of cellsOf(box)) {
    const there = grid.get(cell);
    if (there) there.push(thing);
    else grid.set(cell, [thing]);
  }
}

function cellsOf({ left, top, right, bottom }: Rect): number[] {
  const cells: number[] = [];
  for (let row = Math.floor(top / CELL); row * CELL <= bottom; row += 1) {
    for (let column = Math.floor(left / CELL); column * CELL <= right; column += 1) cells.push(row * ROW + column);
  }
  return cells;
}

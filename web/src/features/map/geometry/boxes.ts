/** A rectangle on the screen, in px. */
export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Disc {
  x: number;
  y: number;
  radius: number;
}

export function boxAround({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Rect {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

export function overlaps(one: Rect, other: Rect): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

export function within(inner: Rect, outer: Rect): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  );
}

/** Whether a disc overlaps a box. */
export function covers({ x, y, radius }: Disc, box: Rect): boolean {
  const nearestX = Math.min(Math.max(x, box.left), box.right);
  const nearestY = Math.min(Math.max(y, box.top), box.bottom);
  return (x - nearestX) ** 2 + (y - nearestY) ** 2 < radius ** 2;
}

/** The parts of a view that no box covers: each from an edge of the view or of a box to another one. */
export function freeParts({ view, boxes }: { view: Rect; boxes: readonly Rect[] }): Rect[] {
  const inside = boxes.filter((box) => overlaps(box, view));
  const edges = (own: number, side: keyof Rect) => [own, ...inside.map((box) => box[side])];
  const parts: Rect[] = [];
  for (const left of edges(view.left, 'right')) {
    for (const top of edges(view.top, 'bottom')) {
      for (const right of edges(view.right, 'left')) {
        for (const bottom of edges(view.bottom, 'top')) {
          const part = { left, top, right, bottom };
          const isPart = left < right && top < bottom && within(part, view);
          if (isPart && !inside.some((box) => overlaps(box, part))) parts.push(part);
        }
      }
    }
  }
  return parts;
}

const DISTANCE = 6;

interface PlaceLabelOptions {
  anchor: Disc;
  size: { width: number; height: number };
  /** The other symbols. */
  discs: readonly Disc[];
  /** Boxes over the map. */
  covered?: readonly Rect[];
  view: Rect;
}

/**
 * The position of a symbol's label: the first free side of above, below, right and left, then above or below and moved
 * sideways. If none is free, the first one in view that is not covered, because a label may overlap another symbol but
 * must be readable.
 */
export function placeLabel({ anchor, size, discs, covered = [], view }: PlaceLabelOptions): Rect {
  const { width, height } = size;
  const up = anchor.radius + DISTANCE + height / 2;
  const aside = anchor.radius + DISTANCE + width / 2;
  const sides = [
    { x: anchor.x, y: anchor.y - up },
    { x: anchor.x, y: anchor.y + up },
    { x: anchor.x + aside, y: anchor.y },
    { x: anchor.x - aside, y: anchor.y },
    ...[-0.5, 0.5, -1, 1].flatMap((part) => {
      const x = anchor.x + part * (width / 2 - anchor.radius);
      return [-up, up].map((down) => ({ x, y: anchor.y + down }));
    }),
  ].map((at) => boxAround({ ...at, width, height }));
  const inView = sides.filter((box) => within(box, view));
  const seen = inView.filter((box) => !covered.some((other) => overlaps(other, box)));
  const free = seen.find((box) => !discs.some((disc) => covers(disc, box)));
  return free ?? seen[0] ?? inView[0] ?? boxAround({ x: anchor.x, y: anchor.y - up, width, height });
}

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

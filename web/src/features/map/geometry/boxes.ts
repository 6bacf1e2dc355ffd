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

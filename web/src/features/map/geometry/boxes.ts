/** A rectangle on the screen, in px. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Spot {
  x: number;
  y: number;
  radius: number;
}

export function boxAround({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Box {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

export function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

export function within(inner: Box, outer: Box): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  );
}

/** Whether a disc overlaps a box. */
export function covers({ x, y, radius }: Spot, box: Box): boolean {
  const nearestX = Math.min(Math.max(x, box.left), box.right);
  const nearestY = Math.min(Math.max(y, box.top), box.bottom);
  return (x - nearestX) ** 2 + (y - nearestY) ** 2 < radius ** 2;
}

/** The margin at each edge, as a fraction of the size. */
const RIM = 0.25;

/** Whether a point is in the middle half of a box, in both directions. */
export function isInMiddle({ at: { x, y }, box }: { at: { x: number; y: number }; box: Box }): boolean {
  const [wide, high] = [(box.right - box.left) * RIM, (box.bottom - box.top) * RIM];
  const middle = { left: box.left + wide, top: box.top + high, right: box.right - wide, bottom: box.bottom - high };
  return within({ left: x, top: y, right: x, bottom: y }, middle);
}

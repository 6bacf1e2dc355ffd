import { boxAround, covers, freeParts, within, type Disc, type Rect } from './boxes.ts';

/** The margin at each edge, as a fraction of the size. */
const RIM = 0.25;

/** Whether a point is in the middle half of a box, in both directions. */
export function isInMiddle({ at: { x, y }, box }: { at: { x: number; y: number }; box: Rect }): boolean {
  const [wide, high] = [(box.right - box.left) * RIM, (box.bottom - box.top) * RIM];
  const middle = { left: box.left + wide, top: box.top + high, right: box.right - wide, bottom: box.bottom - high };
  return within({ left: x, top: y, right: x, bottom: y }, middle);
}

/**
 * The pan in px that moves a symbol out from under the boxes: the shortest one that keeps it in view. Null if the
 * symbol is not covered or not in view, or if there is no such pan.
 */
export function uncover(options: { disc: Disc; boxes: readonly Rect[]; view: Rect }): { x: number; y: number } | null {
  const { disc, boxes, view } = options;
  const { x, y, radius } = disc;
  const box = boxes.find((each) => covers(disc, each));
  if (!box || x < view.left || x > view.right || y < view.top || y > view.bottom) return null;
  const ways = [
    { x: box.left - radius, y },
    { x: box.right + radius, y },
    { x, y: box.top - radius },
    { x, y: box.bottom + radius },
  ]
    .filter(
      (to) =>
        within(boxAround({ ...to, width: 2 * radius, height: 2 * radius }), view) &&
        !boxes.some((each) => covers({ ...to, radius }, each)),
    )
    .map((to) => ({ x: x - to.x, y: y - to.y }))
    .toSorted((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
  return ways[0] ?? null;
}

/**
 * The shortest pan in px that brings a symbol into a part of the view that no box covers. Null if it is in one, or if none
 * has room for it.
 */
export function bringIntoView(options: {
  disc: Disc;
  boxes: readonly Rect[];
  view: Rect;
}): { x: number; y: number } | null {
  const { disc, boxes, view } = options;
  const { x, y, radius } = disc;
  const pans = freeParts({ view, boxes })
    .filter(({ left, top, right, bottom }) => right - left >= 2 * radius && bottom - top >= 2 * radius)
    .map(({ left, top, right, bottom }) => ({
      x: x - Math.min(Math.max(x, left + radius), right - radius),
      y: y - Math.min(Math.max(y, top + radius), bottom - radius),
    }))
    .toSorted((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
  const [shortest] = pans;
  return shortest && (shortest.x !== 0 || shortest.y !== 0) ? shortest : null;
}

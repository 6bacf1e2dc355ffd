import { covers, within } from './boxes.ts';
import type { Box, Spot } from './boxes.ts';

/**
 * The pan in px that moves a symbol out from under the boxes: the shortest one that keeps it in view. Null if the
 * symbol is not covered or not in view, or if there is no such pan.
 */
export function uncover(options: { spot: Spot; boxes: readonly Box[]; view: Box }): { x: number; y: number } | null {
  const { spot, boxes, view } = options;
  const { x, y, radius } = spot;
  const around = (at: { x: number; y: number }): Box => ({
    left: at.x - radius,
    top: at.y - radius,
    right: at.x + radius,
    bottom: at.y + radius,
  });
  const box = boxes.find((each) => covers(spot, each));
  if (!box || x < view.left || x > view.right || y < view.top || y > view.bottom) return null;
  const ways = [
    { x: box.left - radius, y },
    { x: box.right + radius, y },
    { x, y: box.top - radius },
    { x, y: box.bottom + radius },
  ]
    .filter((to) => within(around(to), view) && !boxes.some((each) => covers({ ...to, radius }, each)))
    .map((to) => ({ x: x - to.x, y: y - to.y }))
    .toSorted((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
  return ways[0] ?? null;
}

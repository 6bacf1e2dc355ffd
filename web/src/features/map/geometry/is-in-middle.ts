import { within } from './boxes.ts';
import type { Box } from './boxes.ts';

/** The margin at each edge, as a fraction of the size. */
const RIM = 0.25;

/** Whether a point is in the middle half of a box, in both directions. */
export function isInMiddle({ at: { x, y }, box }: { at: { x: number; y: number }; box: Box }): boolean {
  const [wide, high] = [(box.right - box.left) * RIM, (box.bottom - box.top) * RIM];
  const middle = { left: box.left + wide, top: box.top + high, right: box.right - wide, bottom: box.bottom - high };
  return within({ left: x, top: y, right: x, bottom: y }, middle);
}

import { boxAround, covers, within } from './boxes.ts';
import type { Box, Spot } from './boxes.ts';

const DISTANCE = 6;

/**
 * Where the label of a symbol goes: the first free side of above, below, right and left of it. Where all are taken,
 * the first that lies within the view; a label may cover a symbol, but not be lost.
 */
export function placeLabel({
  anchor,
  size,
  spots,
  view,
}: {
  anchor: Spot;
  size: { width: number; height: number };
  /** The other symbols. */
  spots: readonly Spot[];
  view: Box;
}): Box {
  const { width, height } = size;
  const up = anchor.radius + DISTANCE + height / 2;
  const aside = anchor.radius + DISTANCE + width / 2;
  const sides = [
    { x: anchor.x, y: anchor.y - up },
    { x: anchor.x, y: anchor.y + up },
    { x: anchor.x + aside, y: anchor.y },
    { x: anchor.x - aside, y: anchor.y },
  ].map((at) => boxAround({ ...at, width, height }));
  const inView = sides.filter((box) => within(box, view));
  const free = inView.find((box) => !spots.some((spot) => covers(spot, box)));
  return free ?? inView[0] ?? boxAround({ x: anchor.x, y: anchor.y - up, width, height });
}

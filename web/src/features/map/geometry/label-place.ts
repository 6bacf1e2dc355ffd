import { boxAround, covers, overlaps, within } from './boxes.ts';
import type { Box, Spot } from './boxes.ts';

const DISTANCE = 6;

/**
 * The position of a symbol's label: the first free side of above, below, right and left. If no side is free, the first
 * one in view that is not covered, because a label may overlap another symbol but must be readable.
 */
export function placeLabel({
  anchor,
  size,
  spots,
  covered = [],
  view,
}: {
  anchor: Spot;
  size: { width: number; height: number };
  /** The other symbols. */
  spots: readonly Spot[];
  /** Boxes over the map. */
  covered?: readonly Box[];
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
  const seen = inView.filter((box) => !covered.some((other) => overlaps(other, box)));
  const free = seen.find((box) => !spots.some((spot) => covers(spot, box)));
  return free ?? seen[0] ?? inView[0] ?? boxAround({ x: anchor.x, y: anchor.y - up, width, height });
}

import { overlaps, within } from '../geometry/boxes.ts';
import type { Box, Spot } from '../geometry/boxes.ts';
import { Occupied } from '../geometry/occupied.ts';

/** The space that is free for names. */
export interface NameRoom {
  /** `gap`: the distance to other names, in px. */
  isFree(box: Box, gap: number): boolean;
  take(box: Box): void;
}

/** The space that is taken already. */
export interface Taken {
  /**
   * The visible part of the frame, and the uncovered part of it. A name must be entirely inside it, or entirely
   * outside.
   */
  screen: Box;
  view: Box;
  /** Elements over the map: controls, credits. */
  covered: readonly Box[];
  /** The symbols and labels of devices, which are above the names. */
  spots: readonly Spot[];
  boxes: readonly Box[];
}

export function createNameRoom({ screen, view, covered, spots, boxes }: Taken): NameRoom {
  const symbols = new Occupied();
  for (const spot of spots) symbols.addSpot(spot);
  for (const box of [...boxes, ...covered]) symbols.addBox(box);
  const names = new Occupied();
  return {
    isFree: (box, gap) =>
      (within(box, view) || !overlaps(box, screen)) && symbols.isFree(box) && names.isFree(grown(box, gap)),
    take: (box) => names.addBox(box),
  };
}

function grown({ left, top, right, bottom }: Box, by: number): Box {
  // Vertical distances may be smaller than horizontal ones.
  return { left: left - by, top: top - by / 2, right: right + by, bottom: bottom + by / 2 };
}

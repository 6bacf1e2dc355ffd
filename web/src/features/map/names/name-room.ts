import { overlaps, within } from '../geometry/boxes.ts';
import type { Box, Spot } from '../geometry/boxes.ts';
import { Occupied } from '../geometry/occupied.ts';

/** Where names may still be written on a map. */
export interface NameRoom {
  /** `gap` is how far it keeps from other names, in px. */
  isFree(box: Box, gap: number): boolean;
  take(box: Box): void;
}

/** What is on a map already. */
export interface Taken {
  /** The part of the frame that is on the screen, and of that what nothing covers: a name lies wholly in it, or beyond both. */
  screen: Box;
  view: Box;
  /** What else lies on the map: controls, credits. */
  covered: readonly Box[];
  /** The symbols and the labels of devices: they lie above the names. */
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
  // lines of text may stand closer than words in a line
  return { left: left - by, top: top - by / 2, right: right + by, bottom: bottom + by / 2 };
}

import { boxAround, covers, overlaps, within, type Disc, type Rect } from './boxes.ts';

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

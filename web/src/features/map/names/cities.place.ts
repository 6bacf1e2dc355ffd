import { boxAround } from '../geometry/boxes.ts';
import type { Box } from '../geometry/boxes.ts';
import type { NameRoom } from './name-room.ts';

const HEIGHT = 16;
/** The radius of a dot with its halo. */
const DOT = 4;
/** The distance from the dot to the middle of a line above or below it, and to the end of one beside it. */
const ABOVE = 11.5;
const ASIDE = 7;
const GAP = 8;
/** A city that is small for the zoom is named only if no other city is this near, in px. */
const LONELY_GAP = 72;

/** In the order in which they are tried. */
export const sides = ['above', 'right', 'left', 'below'] as const;
export type Side = (typeof sides)[number];

export interface CityAt {
  /** Identifies the city in every view. */
  key: string;
  name: string;
  weight: number;
  /** The position of its dot. */
  x: number;
  y: number;
}

export interface PlacedCity extends CityAt {
  side: Side;
  /** The centre of its name. */
  textX: number;
  textY: number;
}

/** The population from which cities are named if the world is `scale` px wide. */
export function usualWeight(scale: number): number {
  return 150_000 * 2.5 ** (6 - Math.log2(scale / 256));
}

/**
 * Places the names of cities on the first free side of their dots, ordered by weight. The order does not depend on the
 * view, and a name prefers its previous side, so that names do not jump while the map moves.
 */
export function placeCities({
  cities,
  scale,
  room,
  measure,
  before,
}: {
  /** Ordered by weight. */
  cities: Iterable<CityAt>;
  scale: number;
  room: NameRoom;
  measure: (text: string) => number;
  /** The previous sides, by key. */
  before: ReadonlyMap<string, Side>;
}): PlacedCity[] {
  const usual = usualWeight(scale);
  const placed: PlacedCity[] = [];
  for (const city of cities) {
    const dot = boxAround({ x: city.x, y: city.y, width: 2 * DOT, height: 2 * DOT });
    const gap = city.weight >= usual ? GAP : LONELY_GAP;
    if (!room.isFree(dot, gap === GAP ? 0 : gap)) continue;
    const width = measure(city.name);
    const known = before.get(city.key);
    const tried = known ? [known, ...sides.filter((side) => side !== known)] : sides;
    for (const side of tried) {
      const text = textBox({ city, side, width });
      // A dot is drawn only with its name.
      if (!room.isFree(around(text, dot), gap)) continue;
      room.take(text);
      room.take(dot);
      placed.push({ ...city, side, textX: (text.left + text.right) / 2, textY: (text.top + text.bottom) / 2 });
      break;
    }
  }
  return placed;
}

function around(one: Box, other: Box): Box {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

function textBox({ city: { x, y }, side, width }: { city: CityAt; side: Side; width: number }): Box {
  const aside = ASIDE + width / 2;
  const middle = {
    above: { x, y: y - ABOVE },
    right: { x: x + aside, y },
    left: { x: x - aside, y },
    below: { x, y: y + ABOVE },
  }[side];
  return boxAround({ ...middle, width, height: HEIGHT });
}

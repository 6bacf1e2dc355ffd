import type { Drag } from './sheet-drag.ts';

/** The heights of a phone's sheet: only the card or the header, half of the screen, or nearly all of it. */
export type Stop = 'card' | 'half' | 'list';
/** In px: two whole rows below the head of a list. A low screen has them if it is wide, because its map then has its controls in one line. */
const leastHalf = 276;
const stops: readonly Stop[] = ['card', 'half', 'list'];

/** Height of the map that stays visible above the sheet, in px. A low and wide one has its controls in a line. */
const rims = { high: 44, wide: 68 };

/** In px: of what is around the sheet, and of its card or header. */
export interface SheetSize {
  available: number;
  width: number;
  card: number;
}

export function stopHeights({ available, width, card }: SheetSize): Record<Stop, number> {
  const isWide = width > available;
  const least = isWide ? leastHalf : 0;
  const list = Math.max(0, available - (isWide ? rims.wide : rims.high));
  return {
    card: Math.min(card, list),
    half: Math.min(list, Math.max(card, least, Math.round(available * 0.55))),
    list,
  };
}

/**
 * The stop of a sheet that is released: the next one after a flick, otherwise the nearest. `speed` is in px per ms, up
 * is positive.
 */
export function restingStop(drag: { height: number; speed: number; heights: Record<Stop, number> }): Stop {
  const { height, speed, heights } = drag;
  if (Math.abs(speed) > 0.5) {
    const ahead = stops.filter((stop) => (speed > 0 ? heights[stop] > height : heights[stop] < height));
    return ahead.at(speed > 0 ? 0 : -1) ?? (speed > 0 ? 'list' : 'card');
  }
  const distance = (stop: Stop) => Math.abs(heights[stop] - height);
  return stops.reduce((best, stop) => (distance(stop) < distance(best) ? stop : best));
}

/** Where a card that is released goes: a flick, or a third of its height. Undefined: it stays. */
export function cardDirection({ up, speed, height }: Drag & { height: number }): 'up' | 'down' | undefined {
  if (Math.abs(speed) > 0.5 || Math.abs(up) > height / 3) return up > 0 ? 'up' : 'down';
  return undefined;
}

export function stopBeside(stop: Stop, step: 1 | -1): Stop {
  return stops[stops.indexOf(stop) + step] ?? stop;
}

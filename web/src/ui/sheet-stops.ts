/** The heights of a phone's sheet: only the card or the header, half of the screen, or nearly all of it. */
export type Stop = 'card' | 'half' | 'list';
const stops: readonly Stop[] = ['card', 'half', 'list'];

/** Height of the map that stays visible above the sheet, in px. */
const rim = 44;

export function stopHeights({ available, card }: { available: number; card: number }): Record<Stop, number> {
  const list = Math.max(0, available - rim);
  return { card: Math.min(card, list), half: Math.min(list, Math.max(card, Math.round(available * 0.55))), list };
}

/**
 * The stop of a sheet that is released: the next one after a flick, otherwise the nearest. `speed` is in px per ms, up
 * is positive.
 */
export function restingStop(drag: { height: number; speed: number; heights: Record<Stop, number> }): Stop {
  const { height, speed, heights } = drag;
  if (Math.abs(speed) > 0.5) {
    const ahead = stops.filter((stop) => (speed > 0 ? heights[stop] > height : heights[stop] < height));
    return (speed > 0 ? ahead.at(0) : ahead.at(-1)) ?? (speed > 0 ? 'list' : 'card');
  }
  const distance = (stop: Stop) => Math.abs(heights[stop] - height);
  return stops.reduce((best, stop) => (distance(stop) < distance(best) ? stop : best));
}

export function stopBeside(stop: Stop, step: 1 | -1): Stop {
  return stops[stops.indexOf(stop) + step] ?? stop;
}

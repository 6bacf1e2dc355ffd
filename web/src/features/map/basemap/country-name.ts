import type { CountryName } from './world.ts';

const ROWS = 15;

/**
 * The position of a country's name: the middle of the widest stretch from west to east through its largest part, with a
 * preference for its vertical middle. A centroid would put Norway's name in Sweden.
 */
export function nameSpot(rings: readonly number[][]): Omit<CountryName, 'name' | 'code'> | null {
  const ring = rings.reduce<number[] | null>((best, one) => (best && areaOf(best) >= areaOf(one) ? best : one), null);
  if (ring === null) return null;
  const heights = ring.filter((_, at) => at % 2 === 1);
  const north = heights.reduce((low, y) => Math.min(low, y), 1);
  const south = heights.reduce((high, y) => (y <= 1 ? Math.max(high, y) : high), north);

  let best: { x: number; y: number; room: number; worth: number } | null = null;
  for (let row = 1; row < ROWS; row += 1) {
    const y = north + ((south - north) * row) / ROWS;
    const offCentre = Math.abs((2 * row) / ROWS - 1);
    const crossings = crossingsAt(ring, y);
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const west = crossings[at] ?? 0;
      const room = (crossings[at + 1] ?? 0) - west;
      const worth = room * (1 - 0.5 * offCentre);
      if (best === null || worth > best.worth) best = { x: west + room / 2, y, room, worth };
    }
  }
  return best && { x: best.x - Math.floor(best.x), y: best.y, room: best.room };
}

/** The crossings of an outline with a parallel, from west to east. */
function crossingsAt(ring: number[], y: number): number[] {
  const crossings: number[] = [];
  for (let at = 0; at < ring.length; at += 2) {
    const [x = 0, fromY = 0] = [ring[at], ring[at + 1]];
    const next = (at + 2) % ring.length;
    const [toX = 0, toY = 0] = [ring[next], ring[next + 1]];
    if (fromY > y !== toY > y) crossings.push(x + ((y - fromY) / (toY - fromY)) * (toX - x));
  }
  return crossings.sort((one, other) => one - other);
}

function areaOf(ring: number[]): number {
  let twice = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    twice += (ring[at] ?? 0) * (ring[next + 1] ?? 0) - (ring[next] ?? 0) * (ring[at + 1] ?? 0);
  }
  return Math.abs(twice / 2);
}

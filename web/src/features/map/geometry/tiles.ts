import type { Box } from './boxes.ts';
import { TILE } from './mercator.ts';

export interface TileAt {
  x: number;
  y: number;
}

/** The tiles of a view, in pixels of their own zoom, from the middle outwards. The world repeats. */
export function tilesIn({ left, top, right, bottom }: Box): TileAt[] {
  const tiles: TileAt[] = [];
  for (let y = Math.floor(top / TILE); y * TILE < bottom; y += 1) {
    for (let x = Math.floor(left / TILE); x * TILE < right; x += 1) tiles.push({ x, y });
  }
  const offCentre = ({ x, y }: TileAt) =>
    Math.hypot((x + 0.5) * TILE - (left + right) / 2, (y + 0.5) * TILE - (top + bottom) / 2);
  return tiles.sort((one, other) => offCentre(one) - offCentre(other));
}

/** Whether a tile is in a view or adjacent to it, and may soon be visible again. */
export function isNear({ x, y }: TileAt, { left, top, right, bottom }: Box): boolean {
  return (x + 2) * TILE > left && (x - 1) * TILE < right && (y + 2) * TILE > top && (y - 1) * TILE < bottom;
}

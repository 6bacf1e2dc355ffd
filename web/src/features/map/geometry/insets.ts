import { createContext } from 'react';
import type { Box } from './boxes.ts';

/** The size of the elements over the edges of the map, in px: panel, card, sheet. */
export interface Insets {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/**
 * The uncovered part of a map, in px from its corner. If everything is covered, it is the whole map in that direction.
 */
export function freeBox({ size, insets }: { size: { x: number; y: number }; insets: Insets }): Box {
  const box = { left: insets.left, top: insets.top, right: size.x - insets.right, bottom: size.y - insets.bottom };
  if (box.right - box.left < 1 || box.bottom - box.top < 1) return { left: 0, top: 0, right: size.x, bottom: size.y };
  return box;
}

export function freeSize(map: { size: { x: number; y: number }; insets: Insets }): { width: number; height: number } {
  const { left, top, right, bottom } = freeBox(map);
  return { width: right - left, height: bottom - top };
}

/** The offset of the centre of the free part from the centre of the map, in px. */
export function freeOffset(insets: Insets): { x: number; y: number } {
  return { x: (insets.left - insets.right) / 2, y: (insets.top - insets.bottom) / 2 };
}

/** The insets of the map, for its layers. */
export const MapInsets = createContext<Insets>({ top: 0, right: 0, bottom: 0, left: 0 });

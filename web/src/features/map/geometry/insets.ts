import type { Box } from './boxes.ts';

/** How much of the map's edges something lies on, in px: panel, card, sheet. */
export interface Insets {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** The part of a map that is left free, in px from its corner. Never empty: a covered map has its middle. */
export function freeBox({ size, insets }: { size: { x: number; y: number }; insets: Insets }): Box {
  const box = { left: insets.left, top: insets.top, right: size.x - insets.right, bottom: size.y - insets.bottom };
  if (box.right - box.left < 1 || box.bottom - box.top < 1) return { left: 0, top: 0, right: size.x, bottom: size.y };
  return box;
}

export function freeSize(map: { size: { x: number; y: number }; insets: Insets }): { width: number; height: number } {
  const { left, top, right, bottom } = freeBox(map);
  return { width: right - left, height: bottom - top };
}

/** How far the middle of the free part lies from the middle of the map, in px. */
export function freeOffset(insets: Insets): { x: number; y: number } {
  return { x: (insets.left - insets.right) / 2, y: (insets.top - insets.bottom) / 2 };
}

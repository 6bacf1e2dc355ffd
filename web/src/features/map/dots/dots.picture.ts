import { latitudeAt, longitudeAt } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';
import type { Bbox } from '../geometry/view.ts';

/** A dot's own cell, in px; larger where a screen would have more of them than the server counts. */
const CELL = 2;
const MOST_CELLS = 2048;

/**
 * What is asked of `GET /api/map/density` for a frame. Its cells are those of one grid over the whole world, so that
 * dots stay where they are under panning.
 */
export interface Picture {
  bbox: Bbox;
  width: number;
  height: number;
  /** The grid: cells of the whole world from west to east, and where in it the frame begins. */
  across: number;
  left: number;
  top: number;
  /** How many cells the frame is wide, and where within it the picture stands: more than once where worlds repeat. */
  frameWidth: number;
  copies: number[];
}

/** Null where a frame shows nothing of the world. */
export function pictureOf(frame: Frame): Picture | null {
  const size = Math.max(CELL, Math.ceil(Math.max(frame.width, frame.height) / (MOST_CELLS - 2)));
  const across = Math.max(1, Math.round(frame.scale / size));
  const cells = (pixels: number) => (pixels / frame.scale) * across;
  const left = Math.floor(cells(frame.left));
  const right = Math.ceil(cells(frame.left + frame.width));
  const top = Math.max(0, Math.floor(cells(frame.top)));
  const bottom = Math.min(across, Math.ceil(cells(frame.top + frame.height)));
  if (bottom <= top) return null;

  const frameWidth = right - left;
  const south = latitudeAt(bottom / across);
  const north = latitudeAt(top / across);
  const shared = { height: bottom - top, across, left, top, frameWidth };
  if (frameWidth >= across) {
    const first = Math.floor(left / across) * across - left;
    const copies = Array.from({ length: Math.ceil((frameWidth - first) / across) }, (_, copy) => first + copy * across);
    return { ...shared, bbox: [-180, south, 180, north], width: across, copies };
  }
  const bbox: Bbox = [westOf(left, across), south, eastOf(right, across), north];
  return { ...shared, bbox, width: frameWidth, copies: [0] };
}

function westOf(column: number, across: number): number {
  return longitudeAt(column / across - Math.floor(column / across));
}

/** 180 where it is -180 to the other side. */
function eastOf(column: number, across: number): number {
  return longitudeAt(column / across - Math.ceil(column / across) + 1);
}

/** The cells around a place of the frame (in cells) that show a device, as a box of the world; null where none does. */
export function boxAroundDots({
  picture,
  counts,
  x,
  y,
  reach,
}: {
  picture: Picture;
  counts: Uint8Array;
  x: number;
  y: number;
  /** In cells. */
  reach: number;
}): Bbox | null {
  const { width, height, across, left, top } = picture;
  const copy = picture.copies.find((from) => x >= from && x < from + width) ?? 0;
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (let row = Math.max(0, Math.floor(y - reach)); row <= Math.min(height - 1, y + reach); row += 1) {
    for (
      let column = Math.max(0, Math.floor(x - copy - reach));
      column < Math.min(width, x - copy + reach);
      column += 1
    ) {
      if (counts[row * width + column] === 0) continue;
      box.left = Math.min(box.left, column);
      box.right = Math.max(box.right, column + 1);
      box.top = Math.min(box.top, row);
      box.bottom = Math.max(box.bottom, row + 1);
    }
  }
  if (box.right < box.left) return null;
  const latitude = (row: number) => latitudeAt((top + row) / across);
  const [west, east] = [westOf(left + copy + box.left, across), eastOf(left + copy + box.right, across)];
  return [west, latitude(box.bottom), east, latitude(box.top)];
}

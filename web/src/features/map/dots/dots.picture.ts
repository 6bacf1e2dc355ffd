import { latitudeAt, longitudeAt } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';
import type { Bbox } from '../geometry/view.ts';

/** The size of a cell in px. Larger if the view would have more cells than the server allows. */
const CELL = 2;
const MOST_CELLS = 2048;

/**
 * The parameters of `GET /api/map/density` for a frame. The cells belong to one grid of the whole world, so that dots
 * do not move when the map is panned.
 */
export interface Picture {
  bbox: Bbox;
  width: number;
  height: number;
  /** The number of cells of the whole world, and the offset of the frame in them. */
  across: number;
  left: number;
  top: number;
  /** The width of the frame in cells, and the offsets of the picture in it: several if the world repeats. */
  frameWidth: number;
  copies: number[];
}

/** Null if the frame shows no part of the world. */
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

/** Returns 180 instead of -180 for an eastern edge. */
function eastOf(column: number, across: number): number {
  return longitudeAt(column / across - Math.ceil(column / across) + 1);
}

/** The box of the cells with devices around a point of the frame (in cells); null if there are none. */
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

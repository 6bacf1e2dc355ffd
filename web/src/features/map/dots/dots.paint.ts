import { latitudeAt, longitudeAt } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';
import type { Bbox } from '../geometry/view.ts';

/** The pixel values of a dot by its number of devices: for its middle, its sides and its corners. */
interface Ink {
  middle: Uint32Array;
  side: Uint32Array;
  corner: Uint32Array;
}

const MOST = 255;
/** The opacity for one device, and what more devices add to it. */
const MIDDLE = { least: 0.78, more: 0.22 };
const SIDE = { least: 0.34, more: 0.4 };
const CORNER = { least: 0.13, more: 0.35 };

export function inkOf([red, green, blue]: readonly [number, number, number]): Ink {
  const ramp = ({ least, more }: typeof MIDDLE) =>
    Uint32Array.from({ length: MOST + 1 }, (_, count) => {
      const alpha = count === 0 ? 0 : Math.round((least + more * (Math.log2(count) / Math.log2(MOST))) * 255);
      return pixelOf(red, green, blue, alpha);
    });
  return { middle: ramp(MIDDLE), side: ramp(SIDE), corner: ramp(CORNER) };
}

/** The bytes of a pixel in the byte order of this machine. */
function pixelOf(...bytes: [number, number, number, number]): number {
  return new Uint32Array(Uint8Array.from(bytes).buffer)[0]!;
}

interface PaintDotsOptions {
  counts: Uint8Array;
  width: number;
  ink: Ink;
}

/**
 * Draws each cell with devices as a dot: its own pixel and, weaker, the eight around it. Where dots overlap, the
 * stronger pixel wins. One pass, independent of the counts.
 */
export function paintDots({ counts, width, ink }: PaintDotsOptions): Uint8ClampedArray<ArrayBuffer> {
  const bytes = new Uint8ClampedArray(counts.length * 4);
  const pixels = new Uint32Array(bytes.buffer);
  const strength = { side: alphasOf(ink.side), corner: alphasOf(ink.corner) };
  const spread = (at: number, part: 'side' | 'corner', count: number) => {
    if (bytes[at * 4 + 3]! < strength[part][count]!) pixels[at] = ink[part][count]!;
  };
  for (let at = 0; at < counts.length; at += 1) {
    const count = counts[at]!;
    if (count === 0) continue;
    // Nothing around a dot is as strong as a middle.
    pixels[at] = ink.middle[count]!;
    const column = at % width;
    const [west, east] = [column > 0, column < width - 1];
    if (west) spread(at - 1, 'side', count);
    if (east) spread(at + 1, 'side', count);
    for (const beside of [at - width, at + width]) {
      if (beside < 0 || beside >= counts.length) continue;
      spread(beside, 'side', count);
      if (west) spread(beside - 1, 'corner', count);
      if (east) spread(beside + 1, 'corner', count);
    }
  }
  return bytes;
}

function alphasOf(pixels: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(pixels.buffer);
  return Uint8Array.from(pixels, (_, at) => bytes[at * 4 + 3]!);
}

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

interface BoxAroundDotsOptions {
  picture: Picture;
  counts: Uint8Array;
  x: number;
  y: number;
  /** In cells. */
  reach: number;
}

/** The box of the cells with devices around a point of the frame (in cells); null if there are none. */
export function boxAroundDots({ picture, counts, x, y, reach }: BoxAroundDotsOptions): Bbox | null {
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

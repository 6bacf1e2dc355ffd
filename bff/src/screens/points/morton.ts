/**
 * Z-order (Morton) keys. The square of the world (mercator.ts) is a grid of 2^26 columns and rows. Their interleaved
 * bits are a key of 52 bits, which a double represents exactly. The keys of each quadtree cell are one contiguous
 * range.
 */
import { toX, toY } from './mercator.ts';

export const levels = 26;
export const side = 2 ** levels;
const halfBits = levels / 2;
const half = 2 ** halfBits;

/** 180° is the last column, so that columns increase with longitudes within a cell. */
export function columnOf(longitude: number): number {
  return Math.min(Math.floor(toX(longitude) * side), side - 1);
}

export function rowOf(latitude: number): number {
  return Math.max(0, Math.min(Math.floor(toY(latitude) * side), side - 1));
}

function keyOf(column: number, row: number): number {
  const high = spread(column >>> halfBits) | (spread(row >>> halfBits) << 1);
  const low = spread(column & (half - 1)) | (spread(row & (half - 1)) << 1);
  return high * side + low;
}

export function keyOfPlace(longitude: number, latitude: number): number {
  return keyOf(columnOf(longitude), rowOf(latitude));
}

export function columnOfKey(key: number): number {
  const high = Math.floor(key / side);
  return (squeeze(high) << halfBits) | squeeze(key - high * side);
}

export function rowOfKey(key: number): number {
  const high = Math.floor(key / side);
  return (squeeze(high >>> 1) << halfBits) | squeeze((key - high * side) >>> 1);
}

/** The number of keys in a cell of that level. */
export function keysOfCell(level: number): number {
  return 4 ** (levels - level);
}

/** Inserts a zero between the 13 lowest bits. */
function spread(bits: number): number {
  let spaced = bits & (half - 1);
  spaced = (spaced | (spaced << 8)) & 0x00ff00ff;
  spaced = (spaced | (spaced << 4)) & 0x0f0f0f0f;
  spaced = (spaced | (spaced << 2)) & 0x33333333;
  return (spaced | (spaced << 1)) & 0x55555555;
}

/** Extracts every second of the 26 lowest bits. */
function squeeze(bits: number): number {
  let packed = bits & 0x1555555;
  packed = (packed | (packed >>> 1)) & 0x33333333;
  packed = (packed | (packed >>> 2)) & 0x0f0f0f0f;
  packed = (packed | (packed >>> 4)) & 0x00ff00ff;
  return (packed | (packed >>> 8)) & 0x0000ffff;
}

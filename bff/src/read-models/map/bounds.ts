import type { DeviceColumns } from '../index/device-table.ts';
import { levels } from './mercator.ts';

export type Box = [west: number, south: number, east: number, north: number];

/** The columns of this level divide the world into strips. */
const stripLevel = 6;
const shift = levels - stripLevel;

/**
 * The smallest box around placed devices; null if there are none. It excludes the widest empty gap in longitude. Gaps of less
 * than 6° within a strip are ignored.
 */
export function boundsOf({ x, longitude, latitude }: DeviceColumns, slots: Uint32Array): Box | null {
  const wests = new Float64Array(2 ** stripLevel).fill(Infinity);
  const easts = new Float64Array(2 ** stripLevel).fill(-Infinity);
  let south = Infinity;
  let north = -Infinity;
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!;
    const strip = x[slot]! >>> shift;
    const east = longitude[slot]!;
    const up = latitude[slot]!;
    if (east < wests[strip]!) wests[strip] = east;
    if (east > easts[strip]!) easts[strip] = east;
    if (up < south) south = up;
    if (up > north) north = up;
  }
  const longitudes = aroundStrips(wests, easts);
  return longitudes && [longitudes.west, south, longitudes.east, north];
}

/** The longitudes without the widest gap. A strip without devices has an infinite west. */
function aroundStrips(wests: Float64Array, easts: Float64Array): { west: number; east: number } | null {
  const filled = [...wests.keys()].filter((strip) => wests[strip]! < Infinity);
  const [first, last] = [filled[0], filled.at(-1)];
  if (first === undefined || last === undefined) return null;
  let west = wests[first]!;
  let east = easts[last]!;
  let widest = west + 360 - east;
  let reached = easts[first]!;
  for (const strip of filled) {
    const gap = wests[strip]! - reached;
    if (gap > widest) [widest, west, east] = [gap, wests[strip]!, reached];
    reached = easts[strip]!;
  }
  return { west, east };
}

import { packLines } from '../geometry/lines.ts';
import { decodeOutlines } from './outlines.ts';
import type { World } from './world.ts';

/** Far enough below the world's south edge that no frame reaches it. */
const BELOW = 4;

/** Makes the world from a file of outlines, ready to be drawn. Costs up to 100 ms: for a worker. */
export function decodeWorld(bytes: Uint8Array): World {
  const { land, borders, names } = decodeOutlines(bytes);
  return {
    land: packLines(land.map(closed)),
    coast: packLines(land.flatMap(coastOf)),
    borders: packLines(borders),
    names,
  };
}

/** Antarctica's coast goes once around the world: its area is closed below the edge. */
export function closed(line: number[]): number[] {
  return goesAround(line) ? [...line, line.at(-2) ?? 0, BELOW, line[0] ?? 0, BELOW] : line;
}

function goesAround(line: number[]): boolean {
  return Math.abs((line.at(-2) ?? 0) - (line[0] ?? 0)) > 0.5;
}

/** Splits an outline where it runs along the antimeridian: that is where the atlas was cut, not a shore. */
function coastOf(line: number[]): number[][] {
  const parts: number[][] = [];
  let part: number[] = [];
  for (let at = 0; at < line.length; at += 2) {
    const x = line[at] ?? 0;
    const y = line[at + 1] ?? 0;
    const alongTheCut = Number.isInteger(x) && part.at(-2) === x;
    if (alongTheCut) {
      parts.push(part);
      part = [];
    }
    part.push(x, y);
  }
  parts.push(part);
  return parts.filter(({ length }) => length > 2);
}

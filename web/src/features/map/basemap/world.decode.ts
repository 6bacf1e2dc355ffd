import { packLines } from '../geometry/trace.ts';
import { decodeOutlines, type World } from './world.ts';

/** Below the southern edge of the world, where no frame reaches. */
const BELOW = 4;

/** Prepares a file of outlines for drawing. Takes up to 100 ms, so it runs in a worker. */
export function decodeWorld(bytes: Uint8Array): World {
  const { land, borders, names } = decodeOutlines(bytes);
  return {
    land: packLines(land.map(closed)),
    coast: packLines(land.flatMap(coastOf)),
    borders: packLines(borders),
    names,
  };
}

/** The coast of Antarctica goes around the world, so its area is closed below the edge. */
export function closed(line: number[]): number[] {
  return goesAround(line) ? [...line, line.at(-2) ?? 0, BELOW, line[0] ?? 0, BELOW] : line;
}

function goesAround(line: number[]): boolean {
  return Math.abs((line.at(-2) ?? 0) - (line[0] ?? 0)) > 0.5;
}

/** Removes the segments along the antimeridian, where the atlas is cut: they are not coasts. */
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

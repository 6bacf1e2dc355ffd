import type { Rect } from '../geometry/boxes.ts';
import { packLines } from '../geometry/trace.ts';
import { BELOW, boundsOfCell } from './cell-bounds.ts';
import { decodeOutlines, type World } from './world.ts';

/** Prepares a file of outlines for drawing. Takes up to 100 ms, so it runs in a worker. `cell`: the file is that of a cell. */
export function decodeWorld(bytes: Uint8Array, cell?: number): World {
  const { land, borders, names } = decodeOutlines(bytes);
  const isCut = cell === undefined ? isAntimeridian : edgeOf(boundsOfCell(cell));
  return {
    land: packLines(land.map(closed)),
    coast: packLines(land.flatMap((line) => coastOf(line, isCut))),
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

type Segment = readonly [fromX: number, fromY: number, toX: number, toY: number];

/** Where the atlas is cut. */
const isAntimeridian = ([fromX, , toX]: Segment) => Number.isInteger(toX) && fromX === toX;

/** Where the land of a cell is cut. */
function edgeOf({ left, right, top, bottom }: Rect) {
  return ([fromX, fromY, toX, toY]: Segment) =>
    (fromX === toX && (toX === left || toX === right)) || (fromY === toY && (toY === top || toY === bottom));
}

/** Removes the segments at which land is cut: they are not coasts. */
function coastOf(line: number[], isCut: (segment: Segment) => boolean): number[][] {
  const parts: number[][] = [];
  let part: number[] = [];
  for (let at = 0; at < line.length; at += 2) {
    const x = line[at]!;
    const y = line[at + 1]!;
    if (part.length > 0 && isCut([part.at(-2)!, part.at(-1)!, x, y])) {
      parts.push(part);
      part = [];
    }
    part.push(x, y);
  }
  parts.push(part);
  return parts.filter(({ length }) => length > 2);
}

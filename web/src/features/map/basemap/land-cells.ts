/** Divides the finest land into the cells of `data/cells.ts`. Runs in the build. */
import { cellAt, cellsIn } from '../../../data/cells.ts';
import type { Rect } from '../geometry/boxes.ts';
import { latitudeAt, longitudeAt } from '../geometry/mercator.ts';
import { boundsOfCell } from './cell-bounds.ts';
import { closed } from './world.decode.ts';
import type { Outlines } from './world.ts';

/** The outlines of each cell that has some, by its number. */
export function landCells({ land, borders, names }: Outlines): Map<number, Outlines> {
  const cells = new Map<number, Outlines>();
  const at = (cell: number) => {
    const outlines = cells.get(cell) ?? { land: [], borders: [], names: [] };
    cells.set(cell, outlines);
    return outlines;
  };
  for (const line of land) {
    const ring = pastTheAntimeridian(closed(line));
    for (const { cell, bounds, turns } of cellsOf(line)) {
      const part = ringIn(moved(ring, -turns), bounds);
      // its first point is its last one, too
      if (part.length > 4) at(cell).land.push([...part, ...part.slice(0, 2)]);
    }
  }
  for (const line of borders) {
    for (const { cell, bounds, turns } of cellsOf(line)) {
      const parts = linesIn(moved(line, -turns), bounds);
      if (parts.length > 0) at(cell).borders.push(...parts);
    }
  }
  for (const name of names) at(cellAt(longitudeAt(name.x), latitudeAt(name.y))).names.push(name);
  return cells;
}

/** The cells that a line may be in. `turns`: how often around the world the line is there from its cell. */
function cellsOf(line: readonly number[]): { cell: number; bounds: Rect; turns: number }[] {
  const { west, north, east, south } = edgesOf(line);
  return [-1, 0, 1].flatMap((turns) => {
    // what ends at the antimeridian has nothing beyond it
    if (west - turns >= 1 || (west < turns && east <= turns)) return [];
    const [from, to] = [Math.max(west - turns, 0), Math.min(east - turns, 1 - 1e-9)];
    // what goes around a pole is closed beyond it
    const box = { west: longitudeAt(from), east: longitudeAt(to), south: latitudeAt(south), north: latitudeAt(north) };
    if (east - west > 0.5) box.south = -90;
    return cellsIn(box).map((cell) => ({ cell, bounds: boundsOfCell(cell), turns }));
  });
}

function edgesOf(line: readonly number[]) {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < line.length; at += 2) {
    west = Math.min(west, line[at]!);
    east = Math.max(east, line[at]!);
    north = Math.min(north, line[at + 1]!);
    south = Math.max(south, line[at + 1]!);
  }
  return { west, north, east, south };
}

const moved = (line: readonly number[], turns: number) =>
  line.map((value, at) => (at % 2 === 0 ? value + turns : value));

/** In world units. Wider than what cells overlap. */
const BEYOND = 0.01;

/** The atlas is cut at the antimeridian. Cells are not: the land goes on there. */
function pastTheAntimeridian(ring: readonly number[]): number[] {
  const { west, east } = edgesOf(ring);
  const beyond = (x: number) => (x === west ? x - BEYOND : x === east ? x + BEYOND : x);
  return ring.map((value, at) => (at % 2 === 0 && Number.isInteger(value) ? beyond(value) : value));
}

/** One side of a line from north to south (`axis` 0) or from west to east. */
interface Side {
  axis: 0 | 1;
  limit: number;
  /** Which side of the limit is kept. */
  isGreater: boolean;
}

const sidesOf = ({ left, right, top, bottom }: Rect): readonly Side[] => [
  { axis: 0, limit: left, isGreater: true },
  { axis: 0, limit: right, isGreater: false },
  { axis: 1, limit: top, isGreater: true },
  { axis: 1, limit: bottom, isGreater: false },
];

const isIn = ({ axis, limit, isGreater }: Side, line: readonly number[], at: number) =>
  isGreater ? line[at + axis]! >= limit : line[at + axis]! <= limit;

/** Where a line crosses the limit between two of its points. */
function crossing({ axis, limit }: Side, line: readonly number[], from: number, to: number): [number, number] {
  const part = (limit - line[from + axis]!) / (line[to + axis]! - line[from + axis]!);
  const other = line[from + 1 - axis]! + part * (line[to + 1 - axis]! - line[from + 1 - axis]!);
  return axis === 0 ? [limit, other] : [other, limit];
}

/** The part of an area in a box, which is closed along the edges of the box (Sutherland and Hodgman). */
function ringIn(ring: readonly number[], box: Rect): number[] {
  let area: readonly number[] = ring;
  for (const side of sidesOf(box)) {
    const kept: number[] = [];
    for (let to = 0; to < area.length; to += 2) {
      const from = (to + area.length - 2) % area.length;
      if (isIn(side, area, from) !== isIn(side, area, to)) kept.push(...crossing(side, area, from, to));
      if (isIn(side, area, to)) kept.push(area[to]!, area[to + 1]!);
    }
    area = kept;
  }
  return [...area];
}

/** The parts of a line in a box. */
function linesIn(line: readonly number[], box: Rect): number[][] {
  let lines: number[][] = [[...line]];
  for (const side of sidesOf(box)) lines = lines.flatMap((one) => partsOn(side, one));
  return lines;
}

function partsOn(side: Side, line: readonly number[]): number[][] {
  const parts: number[][] = [];
  let part: number[] = [];
  for (let at = 0; at < line.length; at += 2) {
    const isKept = isIn(side, line, at);
    if (at > 0 && isKept !== isIn(side, line, at - 2)) {
      part.push(...crossing(side, line, at - 2, at));
      if (!isKept) {
        parts.push(part);
        part = [];
      }
    }
    if (isKept) part.push(line[at]!, line[at + 1]!);
  }
  parts.push(part);
  return parts.filter(({ length }) => length > 2);
}

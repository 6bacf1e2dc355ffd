import { expect, test } from 'vitest';
import { boxOfCell, cellAt, cellsIn } from './cells.ts';

test('the cells of a box are those that it touches, also across the antimeridian and beyond the poles', () => {
  const corners = (cells: number[]) => cells.map(boxOfCell).map(({ west, south }) => [west, south]);
  expect(corners(cellsIn({ west: 9, south: 54, east: 11, north: 55 }))).toEqual([
    [0, 50],
    [10, 50],
  ]);
  expect(corners(cellsIn({ west: 175, south: -1, east: 185, north: 1 }))).toEqual([
    [170, -10],
    [-180, -10],
    [170, 0],
    [-180, 0],
  ]);
  expect(corners([cellAt(0, 90), cellAt(180, -90)])).toEqual([
    [0, 80],
    [-180, -90],
  ]);
  expect(cellsIn({ west: -200, south: -90, east: 160, north: 90 })).toHaveLength(36 * 18);
});

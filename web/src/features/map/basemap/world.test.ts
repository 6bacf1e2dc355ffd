import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeOutlines, encodeOutlines } from './world.ts';

const GRID_BITS = 18;
const onGrid = fc.integer({ min: -(2 ** 19), max: 2 ** 20 }).map((step) => step / 2 ** GRID_BITS);
const lines = fc.array(fc.array(fc.tuple(onGrid, onGrid), { maxLength: 30 }).map((points) => points.flat()));

it('decodes points on the grid exactly', () => {
  const names = fc.array(
    fc.record({ name: fc.string({ unit: 'grapheme' }), code: fc.string(), x: onGrid, y: onGrid, room: onGrid }),
  );
  fc.assert(
    fc.property(fc.record({ land: lines, borders: lines, names }), (outlines) => {
      expect(decodeOutlines(encodeOutlines(outlines, GRID_BITS))).toEqual(outlines);
    }),
  );
});

it('moves other points by at most half a step, even in long lines', () => {
  const line = Array.from({ length: 2_000 }, (_, at) => Math.sin(at * 0.37));
  const read = decodeOutlines(encodeOutlines({ land: [line], borders: [], names: [] }, 10)).land[0]!;
  const furthest = Math.max(...line.map((value, at) => Math.abs(value - read[at]!)));
  expect(furthest).toBeLessThanOrEqual(2 ** -11);
});

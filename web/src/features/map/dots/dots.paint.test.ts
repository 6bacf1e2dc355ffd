import { expect, it } from 'vitest';
import { inkOf, paintDots } from './dots.paint.ts';

const ink = inkOf([10, 20, 30]);
const alphas = (bytes: Uint8ClampedArray, width: number) => {
  const all = Array.from({ length: bytes.length / 4 }, (_, at) => bytes[at * 4 + 3]!);
  return Array.from({ length: all.length / width }, (_, row) => all.slice(row * width, (row + 1) * width));
};

it('a device is drawn as a round dot in its colour', () => {
  const counts = new Uint8Array(15);
  counts[7] = 1;
  const bytes = paintDots({ counts, width: 5, ink });
  expect([...bytes.slice(28, 31)]).toEqual([10, 20, 30]);
  const [above, own] = alphas(bytes, 5);
  const [middle, side, corner] = [own![2]!, own![1]!, above![1]!];
  expect(middle).toBeGreaterThan(2 * side);
  expect(side).toBeGreaterThan(2 * corner);
  expect(above).toEqual([0, corner, side, corner, 0]);
  expect(own).toEqual([0, side, middle, side, 0]);
});

it('more devices are more opaque, and a dot does not fade its neighbours', () => {
  const [strength] = [1, 2, 20, 255].map((_, at, all) =>
    all.map(
      (count) =>
        paintDots({
          counts: Uint8Array.of(count),
          width: 1,
          ink,
        })[3]!,
    ),
  );
  expect(strength).toEqual(strength!.toSorted((a, b) => a - b));
  expect(new Set(strength).size).toBe(4);
  const both = alphas(paintDots({ counts: Uint8Array.of(1, 255), width: 2, ink }), 2)[0]!;
  expect(both).toEqual([strength![0], strength![3]]);
});

it('a dot at one edge does not wrap to the other edge', () => {
  const counts = new Uint8Array(9);
  counts[3] = 1;
  const [first, own] = alphas(paintDots({ counts, width: 3, ink }), 3);
  expect(first![2]).toBe(0);
  expect(own![2]).toBe(0);
});

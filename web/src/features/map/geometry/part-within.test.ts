import { expect, test } from 'vitest';
import { partWithin } from './part-within.ts';

test.each([
  [undefined, 1],
  [[0, 0, 10, 10], 1],
  [[5, 5, 20, 20], 0.25],
  [[10, 0, 20, 10], 0],
  [[2, 4, 4, 9], 0.1],
] as const)('a part of the view is within %s', (box, part) => {
  expect(partWithin([0, 0, 10, 10], box && [...box])).toBe(part);
});

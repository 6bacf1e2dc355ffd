import { expect, test } from 'vitest';
import { isInMiddle } from './boxes.ts';

const box = { left: 300, top: 0, right: 1100, bottom: 400 };
const inMiddle = (x: number, y: number) => isInMiddle({ at: { x, y }, box });

test('the middle of a box is half of its width and height', () => {
  expect(inMiddle(700, 200)).toBe(true);
  expect([inMiddle(500, 100), inMiddle(900, 300)]).toEqual([true, true]);
  expect([inMiddle(499, 200), inMiddle(901, 200), inMiddle(700, 99), inMiddle(700, 301)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

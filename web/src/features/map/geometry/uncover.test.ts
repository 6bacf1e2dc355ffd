import { expect, test } from 'vitest';
import { uncover } from './uncover.ts';

const view = { left: 400, top: 0, right: 1440, bottom: 900 };
const card = { left: 1020, top: 640, right: 1424, bottom: 884 };
const pan = (x: number, y: number, boxes = [card]) => uncover({ spot: { x, y, radius: 40 }, boxes, view });

test('the map is panned by the shortest way if the card covers the selected symbol', () => {
  expect(pan(1200, 660)).toEqual({ x: 0, y: 60 });
  expect(pan(1040, 800)).toEqual({ x: 60, y: 0 });
  expect(pan(1390, 860)).toEqual({ x: 0, y: 260 });
});

test('the map is not panned if nothing covers the symbol, or if it is out of view', () => {
  expect(pan(800, 300)).toBeNull();
  expect(pan(1200, 700, [])).toBeNull();
  expect(pan(1200, 990)).toBeNull();
});

test('the symbol is not panned under something else', () => {
  const controls = { left: 1150, top: 500, right: 1440, bottom: 620 };
  expect(pan(1200, 660, [card, controls])).toEqual({ x: 220, y: 0 });
});

import { expect, it } from 'vitest';
import { isNear, tilesIn } from './tiles.ts';

it('covers a view with tiles, from the middle outwards', () => {
  const tiles = tilesIn({ left: 200, top: 300, right: 1000, bottom: 500 });
  expect(tiles.map(({ x, y }) => `${x}/${y}`).sort()).toEqual(['0/1', '1/1', '2/1', '3/1']);
  expect(tiles.slice(0, 2)).toEqual(
    expect.arrayContaining([
      { x: 1, y: 1 },
      { x: 2, y: 1 },
    ]),
  );
});

it('excludes tiles that only touch the view', () => {
  expect(tilesIn({ left: 256, top: 0, right: 512, bottom: 256 })).toEqual([{ x: 1, y: 0 }]);
});

it('continues beyond the edges of the world', () => {
  expect(tilesIn({ left: -300, top: -10, right: -270, bottom: -5 })).toEqual([{ x: -2, y: -1 }]);
});

it('keeps the tiles that are adjacent to the view', () => {
  const view = { left: 512, top: 512, right: 768, bottom: 768 };
  const visible = Array.from({ length: 49 }, (_, at) => ({ x: (at % 7) - 1, y: Math.floor(at / 7) - 1 })).filter(
    (tile) => isNear(tile, view),
  );
  expect(visible).toHaveLength(9);
  expect(visible[0]).toEqual({ x: 1, y: 1 });
});

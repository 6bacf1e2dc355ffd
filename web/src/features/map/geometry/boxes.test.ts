import { expect, test, describe, it } from 'vitest';
import { covers, overlaps } from './boxes.ts';
import { Occupied } from './occupied.ts';
import { placeLabel } from './place-label.ts';
import { bringIntoView, isInMiddle, uncover } from './uncover.ts';
import fc from 'fast-check';

const area = { left: 300, top: 0, right: 1100, bottom: 400 };
const inMiddle = (x: number, y: number) => isInMiddle({ at: { x, y }, box: area });

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

const view = { left: 400, top: 0, right: 1440, bottom: 900 };
const card = { left: 1020, top: 640, right: 1424, bottom: 884 };
const pan = (x: number, y: number, boxes = [card]) => uncover({ disc: { x, y, radius: 40 }, boxes, view });

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

describe('the label of the selected symbol', () => {
  const anchor = { x: 200, y: 200, radius: 23 };
  const size = { width: 100, height: 28 };
  const view = { left: 0, top: 0, right: 400, bottom: 400 };
  const disc = (x: number, y: number) => ({ x, y, radius: 20 });

  it('is placed above the symbol if that side is free', () => {
    expect(placeLabel({ anchor, size, discs: [], view })).toEqual({ left: 150, top: 143, right: 250, bottom: 171 });
  });

  it('is placed on the first free side: below, right, left', () => {
    const above = disc(200, 155);
    const below = disc(200, 245);
    const right = disc(270, 200);
    expect(placeLabel({ anchor, size, discs: [above], view }).top).toBe(229);
    expect(placeLabel({ anchor, size, discs: [above, below], view }).left).toBe(229);
    expect(placeLabel({ anchor, size, discs: [above, below, right], view }).right).toBe(171);
  });

  it('is never placed under the card, even if it covers another symbol', () => {
    const card = { left: 180, top: 100, right: 400, bottom: 175 };
    const places = { anchor, size, covered: [card], view };
    expect(placeLabel({ ...places, discs: [] }).top).toBe(229);
    const crowd = [disc(200, 245), disc(270, 200), disc(130, 200)];
    expect(placeLabel({ ...places, discs: crowd }).top).toBe(229);
  });

  it('is moved sideways if it would be under the controls on every side', () => {
    const controls = { left: 330, top: 0, right: 380, bottom: 300 };
    const wide = { width: 260, height: 28 };
    const box = placeLabel({ anchor: { ...anchor, x: 219 }, size: wide, covered: [controls], discs: [], view });
    expect(box).toEqual({ left: 35.5, top: 143, right: 295.5, bottom: 171 });
  });

  it('stays in the view, even if no side is free', () => {
    const high = { ...anchor, y: 30 };
    const crowd = [disc(200, 75), disc(270, 30), disc(130, 30)];
    expect(placeLabel({ anchor: high, size, discs: crowd, view }).top).toBe(59);
  });

  it('is placed even if its symbol is out of view', () => {
    const away = { ...anchor, x: -300 };
    expect(placeLabel({ anchor: away, size, discs: [], view })).toMatchObject({ left: -350, top: 143 });
  });
});

const at = fc.integer({ min: -300, max: 900 });
const size = fc.integer({ min: 1, max: 200 });
const box = fc
  .tuple(at, at, size, size)
  .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height }));
const disc = fc.record({ x: at, y: at, radius: fc.integer({ min: 1, max: 90 }) });

it('finds the same free boxes as a linear search', () => {
  fc.assert(
    fc.property(fc.array(box), fc.array(disc), fc.array(box), (boxes, discs, others) => {
      const occupied = new Occupied();
      for (const one of boxes) occupied.addBox(one);
      for (const one of discs) occupied.addDisc(one);
      for (const one of others) {
        const free = !boxes.some((other) => overlaps(other, one)) && !discs.some((other) => covers(other, one));
        expect(occupied.isFree(one)).toBe(free);
      }
    }),
  );
});

describe('bringIntoView', () => {
  // A phone that was turned: the list takes the left, the card the lower part.
  const view = { left: 492, top: 0, right: 844, bottom: 390 };
  const boxes = [
    { left: 508, top: 134, right: 828, bottom: 374 },
    { left: 788, top: 12, right: 832, bottom: 120 },
  ];

  it('moves a symbol out from under the list into the part that the card leaves', () => {
    const by = bringIntoView({ disc: { x: 422, y: 123, radius: 44 }, boxes, view });
    expect(by).toEqual({ x: -114, y: 33 });
  });

  it('leaves a symbol that nothing covers, and one for which there is no room', () => {
    expect(bringIntoView({ disc: { x: 600, y: 60, radius: 44 }, boxes, view })).toBeNull();
    expect(bringIntoView({ disc: { x: 422, y: 123, radius: 90 }, boxes, view })).toBeNull();
  });
});

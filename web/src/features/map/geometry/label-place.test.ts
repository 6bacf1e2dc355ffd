import { describe, expect, it } from 'vitest';
import { placeLabel } from './label-place.ts';

const anchor = { x: 200, y: 200, radius: 23 };
const size = { width: 100, height: 28 };
const view = { left: 0, top: 0, right: 400, bottom: 400 };
const spot = (x: number, y: number) => ({ x, y, radius: 20 });

describe('the label of the selected symbol', () => {
  it('is placed above the symbol if that side is free', () => {
    expect(placeLabel({ anchor, size, spots: [], view })).toEqual({ left: 150, top: 143, right: 250, bottom: 171 });
  });

  it('is placed on the first free side: below, right, left', () => {
    const above = spot(200, 155);
    const below = spot(200, 245);
    const right = spot(270, 200);
    expect(placeLabel({ anchor, size, spots: [above], view }).top).toBe(229);
    expect(placeLabel({ anchor, size, spots: [above, below], view }).left).toBe(229);
    expect(placeLabel({ anchor, size, spots: [above, below, right], view }).right).toBe(171);
  });

  it('is never placed under the card, even if it covers another symbol', () => {
    const card = { left: 180, top: 100, right: 400, bottom: 175 };
    const places = { anchor, size, covered: [card], view };
    expect(placeLabel({ ...places, spots: [] }).top).toBe(229);
    const crowd = [spot(200, 245), spot(270, 200), spot(130, 200)];
    expect(placeLabel({ ...places, spots: crowd }).top).toBe(229);
  });

  it('stays in the view, even if no side is free', () => {
    const high = { ...anchor, y: 30 };
    const crowd = [spot(200, 75), spot(270, 30), spot(130, 30)];
    expect(placeLabel({ anchor: high, size, spots: crowd, view }).top).toBe(59);
  });

  it('is placed even if its symbol is out of view', () => {
    const away = { ...anchor, x: -300 };
    expect(placeLabel({ anchor: away, size, spots: [], view })).toMatchObject({ left: -350, top: 143 });
  });
});

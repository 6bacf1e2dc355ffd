import { describe, expect, it } from 'vitest';
import { overlaps, type Rect } from '../geometry/boxes.ts';
import { worldSize, worldX, worldY } from '../geometry/mercator.ts';
import {
  placeCities,
  sides,
  usualWeight,
  createNameRoom,
  placeCrossings,
  type CityAt,
  type Side,
  type Taken,
} from './names.place.ts';

const screen = { left: 0, top: 0, right: 800, bottom: 600 };
const scale = worldSize(6);
const city = (name: string, x: number, y: number, weight = 1_000_000): CityAt => ({ key: name, name, weight, x, y });

function placed(cities: CityAt[], taken: Partial<Taken> = {}, before = new Map<string, Side>()) {
  const room = createNameRoom({ screen, view: screen, covered: [], discs: [], boxes: [], ...taken });
  return placeCities({ cities, scale, room, measure: (text) => text.length * 7, before });
}
const sidesOf = (names: ReturnType<typeof placed>) => names.map(({ name, side }) => `${name} ${side}`);

/** Pseudo-random cities from a fixed seed. */
function scattered(count: number): CityAt[] {
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: count }, (_, at) =>
    city(`City ${at}`, random() * 1000 - 100, random() * 800 - 100, 4e7 / (at + 1)),
  );
}

describe('names of cities', () => {
  it('are placed above their dots, or else beside or below', () => {
    const kiel = city('Kiel', 400, 300);
    const above = { x: 400, y: 283, radius: 8 };
    const right = { x: 427, y: 300, radius: 8 };
    const left = { x: 373, y: 300, radius: 8 };
    const below = { x: 400, y: 317, radius: 8 };
    const discs = [above, right, left, below];
    expect(sides.map((_, taken) => placed([kiel], { discs: discs.slice(0, taken) })[0]?.side)).toEqual(sides);
    expect(placed([kiel], { discs })).toEqual([]);
  });

  it('are beside the symbol of a device that covers the dot, without it', () => {
    const [kiel] = placed([city('Kiel', 400, 300)], { discs: [{ x: 402, y: 300, radius: 14 }] });
    expect(kiel).toMatchObject({ name: 'Kiel', side: 'above', isCovered: true, textX: 402 });
    expect(kiel!.textY + 8).toBeLessThan(300 - 14);
  });

  it('are left out if a large cluster covers the dot, or a symbol that of a small city', () => {
    expect(placed([city('Kiel', 400, 300)], { discs: [{ x: 402, y: 300, radius: 28 }] })).toEqual([]);
    expect(placed([city('Plön', 400, 300, 9000)], { discs: [{ x: 402, y: 300, radius: 14 }] })).toEqual([]);
  });

  it('are entirely visible and not under controls', () => {
    const covered = [{ left: 740, top: 0, right: 800, bottom: 200 }];
    expect(
      sidesOf(placed([city('Kiel', 10, 300), city('Malmö', 730, 100), city('Bonn', 400, 5)], { covered })),
    ).toEqual(['Kiel right', 'Malmö left', 'Bonn below']);
  });

  it('are left out with their dot at the edge of the screen', () => {
    expect(placed([city('Brasília', 796, 300)]).map(({ side }) => side)).toEqual(['left']);
    const besides = { discs: [{ x: 760, y: 300, radius: 20 }] };
    expect(placed([city('Brasília', 796, 300)], besides)).toEqual([]);
  });

  it('never overlap each other, a dot or the controls', () => {
    const discs = [{ x: 300, y: 300, radius: 40 }];
    const covered = [{ left: 600, top: 100, right: 780, bottom: 500 }];
    const names = placed(scattered(600), { discs, covered });
    const boxes = names.map(({ name, textX, textY }) => {
      const half = (name.length * 7) / 2;
      return { left: textX - half, top: textY - 8, right: textX + half, bottom: textY + 8 };
    });
    expect(names.length).toBeGreaterThan(20);
    for (const [at, box] of boxes.entries()) {
      expect(boxes.slice(at + 1).some((other) => overlaps(other, box))).toBe(false);
      expect(covered.some((other) => overlaps(other, box))).toBe(false);
      expect(
        names.some(({ x, y }, other) => other !== at && overlaps({ left: x, right: x, top: y, bottom: y }, box)),
      ).toBe(false);
    }
  });

  it('are placed for small cities only if no other city is near', () => {
    const small = usualWeight(scale) / 3;
    const names = placed([city('Berlin', 400, 300), city('Potsdam', 360, 330, small), city('Agadez', 100, 100, small)]);
    expect(names.map(({ name }) => name)).toEqual(['Berlin', 'Agadez']);
  });

  it('stay on their side while the map moves', () => {
    const before = new Map<string, Side>([['Kiel', 'left']]);
    expect(placed([city('Kiel', 400, 300)], {}, before)[0]?.side).toBe('left');
    expect(placed([city('Kiel', 400, 300)], { discs: [{ x: 375, y: 300, radius: 8 }] }, before)[0]?.side).toBe('above');
  });

  it('include smaller cities at higher zoom', () => {
    const weights = [2, 4, 6, 8, 10, 14].map((zoom) => usualWeight(worldSize(zoom)));
    expect(weights).toEqual(weights.toSorted((one, other) => other - one));
    expect(weights[0]).toBeGreaterThan(5_000_000);
    expect(weights[5]).toBeLessThan(1_000);
  });
});

interface Place {
  latitude: number;
  longitude: number;
  zoom: number;
  tiled?: Rect;
}

function crossings({ latitude, longitude, zoom, tiled }: Place) {
  const scale = worldSize(zoom);
  const frame = {
    scale,
    left: worldX(longitude) * scale - 400,
    top: worldY(latitude) * scale - 300,
    width: 800,
    height: 600,
  };
  const view = { left: 0, top: 0, right: 800, bottom: 600 };
  return placeCrossings({
    frame,
    room: createNameRoom({ screen: view, view, covered: [], discs: [], boxes: [] }),
    textOf: (at) => `${at.latitude} ${at.longitude}`,
    measure: (text) => text.length * 6,
    tiled,
  }).map(({ text }) => text);
}

it('labels no crossing over streets', () => {
  const place = { latitude: -15, longitude: 20, zoom: 6 };
  const [all, beside] = [
    crossings(place),
    crossings({ ...place, tiled: { left: 0, top: 0, right: 410, bottom: 600 } }),
  ];
  expect(all).toEqual(expect.arrayContaining(['-15 15', '-15 25']));
  expect(beside).toContain('-15 25');
  expect(beside).not.toContain('-15 15');
});

it('labels the crossings on both sides of the antimeridian', () => {
  const texts = crossings({ latitude: -15, longitude: 180, zoom: 6 });
  expect(texts).toContain('-15 180');
  expect(texts).toContain('-15 175');
  expect(texts).toContain('-15 -175');
});

it('labels round coordinates at every zoom', () => {
  const texts = crossings({ latitude: -74, longitude: 10, zoom: 14 });
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) expect(text).toMatch(/^-7[34](\.\d{1,2})? (9|10)(\.\d{1,2})?$/);
});

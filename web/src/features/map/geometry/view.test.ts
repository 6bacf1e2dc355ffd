import { describe, expect, it } from 'vitest';
import {
  freeBox,
  freeOffset,
  insetsBeside,
  bboxOf,
  fittingView,
  isOnePoint,
  leastZoom,
  oneWorldZoom,
  positionAt,
  roundedView,
  shifted,
  zoomAround,
  type Bbox,
} from './view.ts';
import { covers } from './boxes.ts';
import { metresPerPixel, worldSize, worldX, worldY } from './mercator.ts';

const free = { width: 800, height: 600 };

describe('zoomAround', () => {
  it.each([9000, 200_000])('has all within %d m in the free part, at the highest quarter zoom level', (within) => {
    const zoom = zoomAround({ latitude: 47, within, free });
    expect(zoom % 0.25).toBe(0);
    const width = (2 * within) / metresPerPixel({ latitude: 47, zoom });
    expect(width).toBeLessThanOrEqual(504);
    expect(width).toBeGreaterThan(504 * 2 ** -0.25);
  });
});

describe('fittingView', () => {
  it('shows the whole bbox at the highest quarter zoom level', () => {
    const { lat, lng, zoom } = fittingView({ bbox: [5, 47, 15, 55], free });
    expect(zoom % 0.25).toBe(0);
    const scale = worldSize(zoom);
    const [width, height] = [(10 / 360) * scale, (worldY(47) - worldY(55)) * scale];
    expect(Math.max(width / 704, height / 504)).toBeLessThanOrEqual(1);
    expect(Math.max(width / 704, height / 504)).toBeGreaterThan(2 ** -0.25);
    expect(worldX(lng)).toBeCloseTo((worldX(5) + worldX(15)) / 2);
    expect(worldY(lat)).toBeCloseTo((worldY(47) + worldY(55)) / 2);
  });

  it('crosses the antimeridian if that is shorter', () => {
    const { lng, zoom } = fittingView({ bbox: [170, -20, -170, -10], free });
    expect(Math.abs(lng)).toBeCloseTo(180);
    expect(zoom).toBeGreaterThan(4);
  });

  it('keeps its centre on the map if a device is at a pole', () => {
    const { lat } = fittingView({ bbox: [8, -90, 180, 47], free });
    expect(worldY(lat)).toBeCloseTo((1 + worldY(47)) / 2);
  });

  it('limits the zoom for a single disc', () => {
    expect(fittingView({ bbox: [12.3, 52.9, 12.3, 52.9], free })).toMatchObject({ zoom: 7 });
    expect(fittingView({ bbox: [12.3, 52.9, 12.3001, 52.9], free })).toMatchObject({ zoom: 13 });
  });

  it('never zooms out below the minimum zoom', () => {
    expect(fittingView({ bbox: [-180, -85, 180, 85], free: { width: 390, height: 300 } }).zoom).toBe(
      leastZoom({ width: 390, height: 300 }),
    );
  });
});

describe('insetsBeside', () => {
  const size = { x: 844, y: 390 };
  const none = { top: 0, right: 0, bottom: 0, left: 0 };
  const panel = { left: 8, top: 8, right: 224, bottom: 150 };
  const buttons = { left: 480, top: 8, right: 828, bottom: 48 };
  const card = { left: 528, top: 200, right: 828, bottom: 362 };

  it('shows no corner of a fitted bbox under a panel, a button or a card', () => {
    const boxes = [panel, buttons, card];
    for (const bbox of [
      [5, 47, 15, 55],
      [5, 50, 25, 51],
      [9, 40, 10, 60],
      [170, -20, -170, -10],
    ] as Bbox[]) {
      const insets = insetsBeside({ bbox, size, insets: none, boxes });
      const free = freeBox({ size, insets });
      const view = fittingView({ bbox, free: { width: free.right - free.left, height: free.bottom - free.top } });
      const scale = worldSize(view.zoom);
      const [west, south, east, north] = bbox;
      for (const [lng, lat] of [
        [west, south],
        [west, north],
        [east, south],
        [east, north],
      ] as const) {
        const across = (((lng - view.lng + 540) % 360) - 180) / 360;
        const x = (free.left + free.right) / 2 + across * scale;
        const y = (free.top + free.bottom) / 2 + (worldY(lat) - worldY(view.lat)) * scale;
        expect(boxes.some((box) => covers({ x, y, radius: 20 }, box))).toBe(false);
      }
    }
  });

  it('are those of the map if nothing more covers it, or for a single device', () => {
    const insets = { ...none, left: 320 };
    expect(insetsBeside({ bbox: [5, 47, 15, 55], size, insets, boxes: [panel] })).toEqual(insets);
    expect(insetsBeside({ bbox: [5, 47, 5, 47], size, insets, boxes: [card] })).toEqual(insets);
    const all = { left: 0, top: 0, right: 844, bottom: 390 };
    expect(insetsBeside({ bbox: [5, 47, 15, 55], size, insets, boxes: [all] })).toEqual(insets);
  });
});

describe('bboxOf', () => {
  const scale = worldSize(4);
  const frame = { scale, left: worldX(170) * scale, top: worldY(10) * scale };

  it('returns a west that is greater than the east across the antimeridian', () => {
    const box = { left: 0, top: 0, right: (20 / 360) * scale, bottom: (worldY(-10) - worldY(10)) * scale };
    expect(bboxOf({ frame, box })).toEqual([170, -10, -170, 10]);
  });

  it('returns all longitudes if the whole world is visible', () => {
    expect(bboxOf({ frame, box: { left: 0, top: 0, right: scale, bottom: 10 } })).toMatchObject({ 0: -180, 2: 180 });
  });

  it('extends to the pole at an edge of the map, where devices at the pole are drawn', () => {
    const right = scale / 4;
    expect(bboxOf({ frame, box: { left: 0, top: -frame.top, right, bottom: scale } })).toMatchObject({ 1: -90, 3: 90 });
  });

  it('is one disc only if both corners are equal', () => {
    expect(isOnePoint([1, 2, 1, 2])).toBe(true);
    expect(isOnePoint([1, 2, 1, 2.00001])).toBe(false);
  });
});

describe('the free part of the map', () => {
  it('excludes the panel and the sheet', () => {
    const insets = { top: 0, right: 0, bottom: 100, left: 416 };
    expect(freeBox({ size: { x: 1224, y: 900 }, insets })).toEqual({ left: 416, top: 0, right: 1224, bottom: 800 });
    expect(freeOffset(insets)).toEqual({ x: 208, y: -50 });
  });

  it('is the whole map if everything is covered', () => {
    const insets = { top: 0, right: 0, bottom: 800, left: 0 };
    expect(freeBox({ size: { x: 390, y: 800 }, insets })).toMatchObject({ top: 0, bottom: 800 });
  });

  it('has the requested view at its centre', () => {
    const view = { lat: 52.9, lng: 12.3, zoom: 6 };
    const offset = { x: 208, y: -50 };
    const { lat, lng } = shifted(view, offset);
    expect((worldX(view.lng) - worldX(lng)) * worldSize(6)).toBeCloseTo(208);
    expect((worldY(view.lat) - worldY(lat)) * worldSize(6)).toBeCloseTo(-50);
  });
});

describe('positions', () => {
  it('are in range for a click anywhere on the map', () => {
    expect(positionAt({ lat: 89, lng: 190 })).toEqual({ longitude: -170, latitude: 85.0511288 });
    expect(Object.is(positionAt({ lat: -0, lng: -0 }).longitude, 0)).toBe(true);
  });

  it('are rounded to a metre in views', () => {
    expect(roundedView({ lat: 52.123456789, lng: 371.123456789, zoom: 4.250001 })).toEqual({
      lat: 52.12346,
      lng: 11.12346,
      zoom: 4.25,
    });
  });
});

it.each([
  [1024, 2],
  [1920, 3],
  [1925, 3],
  [2048, 3],
  [2049, 3.25],
  [3840, 4],
])('a map of %i px shows no place twice from zoom %f on', (width, zoom) => {
  expect(oneWorldZoom(width)).toBe(zoom);
  expect(worldSize(zoom)).toBeGreaterThanOrEqual(width);
});

import type { MapFeature } from '@swarmdeck/bff/contract';
import { afterEach, expect, it, vi, describe } from 'vitest';
import { createMoving, glideTime, glideTo } from './symbol-animation.ts';

const at = (longitude: number): MapFeature[] => [
  {
    type: 'Feature',
    id: 'a',
    geometry: { type: 'Point', coordinates: [longitude, 0] },
    properties: {
      cluster: false,
      presence: { state: 'never' },
      id: 'a',
      name: 'A',
      machine_type: 'bug',
      changed_at: '2026-01-02T03:04:05.678Z',
    },
  },
];
const reducedMotion = (matches: boolean) => vi.stubGlobal('matchMedia', () => ({ matches }));
// 10 px per degree
const scale = 3600;
const where = (features: readonly MapFeature[]) => features[0]?.geometry.coordinates[0];

/** After the first response. */
function afterOneResponse() {
  const moving = createMoving();
  moving.to(at(1), { now: 1000, scale });
  expect(where(moving.at(1000))).toBe(1);
  return moving;
}

afterEach(() => vi.unstubAllGlobals());

it('symbols glide to their new position', () => {
  reducedMotion(false);
  const moving = afterOneResponse();
  moving.to(at(3), { now: 5000, scale });
  expect(moving.isOver(5000)).toBe(false);
  expect(where(moving.at(5060))).toBeCloseTo(2);
  expect(moving.isOver(5120)).toBe(true);
  expect(where(moving.at(5120))).toBe(3);
});

it('symbols move immediately with reduced motion', () => {
  reducedMotion(true);
  const moving = afterOneResponse();
  moving.to(at(3), { now: 5000, scale });
  expect(moving.isOver(5000)).toBe(true);
  expect(where(moving.at(5000))).toBe(3);
});

const single = (id: string, longitude: number, latitude = 0): MapFeature => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  properties: {
    cluster: false,
    presence: { state: 'never' },
    id,
    name: id,
    machine_type: 'bug',
    changed_at: '2026-01-02T03:04:05.678Z',
  },
});
// 10 px per degree
const from = { start: 1000, duration: 200, scale: 3600 };
const places = (features: readonly MapFeature[] | undefined) =>
  features?.map(({ geometry }) => geometry.coordinates.map((value) => Number(value.toFixed(6))));

describe('a glide', () => {
  it('moves symbols from their shown position to their new one, and keeps the others in place', () => {
    const next = [single('moved', 4, 2), single('stays', 7), single('new', 9)];
    const glide = glideTo({ ...from, shown: [single('stays', 7), single('moved', 0), single('removed', 1)], next });
    expect(places(glide?.featuresAt(1000))).toEqual([
      [0, 0],
      [7, 0],
      [9, 0],
    ]);
    expect(places(glide?.featuresAt(1050))).toEqual([
      [1, 0.5],
      [7, 0],
      [9, 0],
    ]);
    expect(glide?.end).toBe(1200);
    expect(glide?.featuresAt(1200)).toBe(next);
    expect(glide?.featuresAt(5000)).toBe(next);
  });

  it('continues from the current position of another glide', () => {
    const first = glideTo({ ...from, shown: [single('a', 0)], next: [single('a', 4)] });
    const shown = first!.featuresAt(1100);
    const second = glideTo({ ...from, start: 1100, shown, next: [single('a', 2, 6)] });
    expect(places(second?.featuresAt(1100))).toEqual([[2, 0]]);
    expect(places(second?.featuresAt(1200))).toEqual([[2, 3]]);
  });

  it('crosses the antimeridian if that is shorter', () => {
    const glide = glideTo({ ...from, shown: [single('a', 179)], next: [single('a', -179)] });
    expect(places(glide?.featuresAt(1150))).toEqual([[-179.5, 0]]);
  });

  it('is null if no symbol moves visibly, or if the distance is too large', () => {
    const shown = [single('a', 0), single('b', 1)];
    expect(glideTo({ ...from, shown, next: [single('a', 0.01), single('b', 1), single('c', 5)] })).toBeNull();
    expect(glideTo({ ...from, shown, next: [single('a', 170)] })).toBeNull();
  });
});

it('a glide takes as long as the time between moves, or 120 ms for a single move', () => {
  expect(glideTime(210)).toBe(210);
  expect(glideTime(20)).toBe(120);
  expect(glideTime(60_000)).toBe(120);
});

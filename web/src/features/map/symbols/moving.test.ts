import type { MapFeature } from '@swarmdeck/bff/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { createMoving } from './moving.ts';

const at = (longitude: number): MapFeature[] => [
  {
    type: 'Feature',
    id: 'a',
    geometry: { type: 'Point', coordinates: [longitude, 0] },
    properties: { cluster: false, id: 'a', name: 'A', machine_type: 'bug', changed_at: '2026-01-02T03:04:05.678Z' },
  },
];
const reducedMotion = (matches: boolean) => vi.stubGlobal('matchMedia', () => ({ matches }));
// 10 px per degree
const scale = 3600;
const where = (features: readonly MapFeature[]) => features[0]?.geometry.coordinates[0];

/** After two responses, because the second one loads the animation. */
async function afterTwoAnswers() {
  const moving = createMoving();
  moving.to(at(0), { now: 0, scale });
  moving.to(at(1), { now: 1000, scale });
  expect(where(moving.at(1000))).toBe(1);
  await vi.dynamicImportSettled();
  return moving;
}

afterEach(() => vi.unstubAllGlobals());

it('symbols glide to their new position', async () => {
  reducedMotion(false);
  const moving = await afterTwoAnswers();
  moving.to(at(3), { now: 5000, scale });
  expect(moving.isOver(5000)).toBe(false);
  expect(where(moving.at(5060))).toBeCloseTo(2);
  expect(moving.isOver(5120)).toBe(true);
  expect(where(moving.at(5120))).toBe(3);
});

it('symbols move immediately with reduced motion', async () => {
  reducedMotion(true);
  const moving = await afterTwoAnswers();
  moving.to(at(3), { now: 5000, scale });
  expect(moving.isOver(5000)).toBe(true);
  expect(where(moving.at(5000))).toBe(3);
});

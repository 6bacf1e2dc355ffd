import { expect, it } from 'vitest';
import { isInside } from './home-map.ts';

it('finds a position in a box', () => {
  expect(isInside([10, 50, 14, 54], { latitude: 52, longitude: 12 })).toBe(true);
  expect(isInside([10, 50, 14, 54], { latitude: 52, longitude: 15 })).toBe(false);
  expect(isInside([10, 50, 14, 54], { latitude: 49, longitude: 12 })).toBe(false);
});

it('finds it across the antimeridian', () => {
  expect(isInside([170, -10, -170, 10], { latitude: 0, longitude: -175 })).toBe(true);
  expect(isInside([170, -10, -170, 10], { latitude: 0, longitude: 175 })).toBe(true);
  expect(isInside([170, -10, -170, 10], { latitude: 0, longitude: 0 })).toBe(false);
});

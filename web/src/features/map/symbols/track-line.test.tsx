import { expect, it } from 'vitest';
import { lineOf } from './track-line.tsx';

it('a track across the antimeridian is one short line that ends where the device is', () => {
  const points = [179.9, -179.9, 179.8].map((longitude, latitude) => ({ longitude, latitude }));
  const longitudes = lineOf(points).map(([, longitude]) => Number(longitude.toFixed(1)));
  expect(longitudes).toEqual([179.9, 180.1, 179.8]);
  expect(lineOf([])).toEqual([]);
});

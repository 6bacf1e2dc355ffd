import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Distance, distanceBetween } from './distance.tsx';

const berlin = { latitude: 52.52, longitude: 13.405 };
const hamburg = { latitude: 53.5511, longitude: 9.9937 };

test('is that of the sphere, also across the antimeridian', () => {
  expect(distanceBetween(berlin, hamburg)).toBeCloseTo(255, 0);
  expect(distanceBetween({ latitude: 0, longitude: 179.999 }, { latitude: 0, longitude: -179.999 })).toBeCloseTo(
    0.22,
    2,
  );
});

test.each([
  ['52.52,13.405', hamburg, />(255 km|15\d mi)</],
  ['53.5511,9.9901', hamburg, />(240 m|780 ft)</],
  ['53.5511,9.9937', hamburg, />0 (m|ft)</],
])('from %s it is shown in a unit of its size', (from, to, shown) => {
  expect(renderToStaticMarkup(<Distance from={from} to={to} />)).toMatch(shown);
});

test('an address that was edited shows none', () => {
  expect(renderToStaticMarkup(<Distance from="here" to={hamburg} />)).toBe('');
});

import { expect, test } from 'vitest';
import { prefers } from './accept.ts';

const geoJson = 'application/geo+json';

test.each([
  geoJson,
  'Application/Geo+JSON'.toLowerCase(),
  `${geoJson}, application/json`,
  `text/html, ${geoJson};q=0.9, */*;q=0.8`,
  `application/json;q=0.5, ${geoJson} ; q=0.6`,
  `${geoJson};profile="x";q=0.1`,
])('%s prefers GeoJSON', (accept) => {
  expect(prefers(accept, geoJson)).toBe(true);
});

test.each([
  undefined,
  '',
  '*/*',
  'application/json',
  `application/json, ${geoJson}`,
  `${geoJson};q=0`,
  `${geoJson};q=0.4, application/json;q=0.5`,
  `${geoJson}-seq`,
  `${geoJson};q=x`,
])('%s does not', (accept) => {
  expect(prefers(accept, geoJson)).toBe(false);
});

test('a file that is CSV by default is another one only if that is preferred to CSV', () => {
  expect(prefers(geoJson, geoJson, 'text/csv')).toBe(true);
  expect(prefers(`application/json, ${geoJson}`, geoJson, 'text/csv')).toBe(true);
  expect(prefers(`text/csv, ${geoJson}`, geoJson, 'text/csv')).toBe(false);
  expect(prefers('application/json', geoJson, 'text/csv')).toBe(false);
});

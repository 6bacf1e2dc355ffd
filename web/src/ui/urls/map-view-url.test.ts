import { expect, it } from 'vitest';
import { isInside, readMapView, writeMapView } from './map-view-url.ts';

it('reads the view that was written', () => {
  const place = { zoom: 6.5, lat: 52.924, lng: -12.29612 };
  expect(writeMapView(place)).toBe('6.5/52.924/-12.29612');
  expect(readMapView(writeMapView(place))).toEqual(place);
});

it.each([null, '', '6/52', '6/52/13/1', 'x/52/13', '6//13', '23/1/1', '6/91/1'])('is null for %j', (text) => {
  expect(readMapView(text)).toBeNull();
});

it('isInside finds a position in a box', () => {
  expect(isInside([10, 50, 14, 54], { latitude: 52, longitude: 12 })).toBe(true);
  expect(isInside([10, 50, 14, 54], { latitude: 52, longitude: 15 })).toBe(false);
  expect(isInside([10, 50, 14, 54], { latitude: 49, longitude: 12 })).toBe(false);
});

it('isInside works across the antimeridian', () => {
  expect(isInside([170, -10, -170, 10], { latitude: 0, longitude: -175 })).toBe(true);
  expect(isInside([170, -10, -170, 10], { latitude: 0, longitude: 175 })).toBe(true);
  expect(isInside([170, -10, -170, 10], { latitude: 0, longitude: 0 })).toBe(false);
  expect(isInside([170, -10, -170, 10], { latitude: 11, longitude: 179 })).toBe(false);
});

import { expect, it } from 'vitest';
import { readMapPlace, writeMapPlace } from './map-place.ts';

it('comes back as it was written', () => {
  const place = { zoom: 6.5, lat: 52.924, lng: -12.29612 };
  expect(writeMapPlace(place)).toBe('6.5/52.924/-12.29612');
  expect(readMapPlace(writeMapPlace(place))).toEqual(place);
});

it.each([null, '', '6/52', '6/52/13/1', 'x/52/13', '6//13', '23/1/1', '6/91/1'])(
  'is left out when it is %j',
  (text) => {
    expect(readMapPlace(text)).toBeNull();
  },
);

import { expect, test } from 'vitest';
import { mapsLink } from './maps-link.ts';

test.each([
  ['Android', 'Linux; Android 14; Pixel 8', 'geo:53.5,-9.9?q=53.5,-9.9(Hub%201%20%20A%26B%20)'],
  ['iPhone', 'iPhone; CPU iPhone OS 18_0', 'https://maps.apple.com/?ll=53.5,-9.9&q=Hub%201%20%20A%26B%20'],
  ['computer', 'X11; Linux x86_64', 'https://www.openstreetmap.org/?mlat=53.5&mlon=-9.9#map=16/53.5/-9.9'],
])('on %s, a position opens in its maps', (_system, agent, link) => {
  expect(mapsLink({ latitude: 53.5, longitude: -9.9 }, 'Hub 1 (A&B)', agent)).toBe(link);
});

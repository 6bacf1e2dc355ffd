import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { buffersOfPlaces, decodePlaces, encodePlaces, nameOf, placesIn, fold, type Place } from './places.file.ts';

const degrees = (most: number) => fc.integer({ min: -most * 1000, max: most * 1000 }).map((step) => step / 1000);
const place: fc.Arbitrary<Place> = fc.record({
  name: fc.string({ unit: 'grapheme' }).map((name) => name.replaceAll('\n', ' ')),
  country: fc.constantFrom('DE', 'FJ', 'KE', 'US'),
  longitude: degrees(180),
  latitude: degrees(85),
  weight: fc.integer({ min: 0, max: 22 }).map((power) => 2 ** power),
});
const read = (places: readonly Place[]) => decodePlaces(encodePlaces(places));
const everywhere = { west: -180, south: -90, east: 180, north: 90, most: Infinity };

describe('a places file', () => {
  it('contains every place that was encoded, ordered by weight', () => {
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 60 }), (places) => {
        const file = read(places);
        const found = places.map((_, index) => ({
          name: nameOf(file, index),
          country: file.countries[file.country[index]!],
          longitude: Number(file.longitude[index]!.toFixed(3)) + 0,
          latitude: Number(file.latitude[index]!.toFixed(3)) + 0,
          weight: file.weight[index],
        }));
        const sorted = (all: unknown[]) => all.map((one) => JSON.stringify(one)).toSorted();
        expect(sorted(found)).toEqual(sorted(places));
        const weights = Array.from(file.weight);
        expect(weights).toEqual(weights.toSorted((one, other) => other - one));
      }),
    );
  });

  it('has eight transferable buffers', () => {
    expect(
      buffersOfPlaces(read([{ name: 'Suva', country: 'FJ', longitude: 178.4, latitude: -18.1, weight: 1 }])),
    ).toHaveLength(8);
  });
});

describe('placesIn', () => {
  it('returns the places in a box of any size, also across the antimeridian', () => {
    const box = fc.record({ west: degrees(400), south: degrees(90), wide: degrees(180), high: degrees(90) });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 80 }), box, (places, { west, south, wide, high }) => {
        const file = read(places);
        const [east, north] = [west + Math.abs(wide), south + Math.abs(high)];
        const isIn = (index: number) =>
          [-720, -360, 0, 360, 720].some((turn) => {
            const longitude = file.longitude[index]! + turn;
            return longitude >= west && longitude <= east;
          }) &&
          file.latitude[index]! >= south &&
          file.latitude[index]! <= north;
        const expected = places.map((_, index) => index).filter(isIn);
        expect(placesIn({ places: file, west, south, east, north, most: Infinity })).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('returns at most the requested number, by weight', () => {
    const places = Array.from({ length: 30 }, (_, at) => ({
      name: `Town ${at}`,
      country: 'DE',
      longitude: at / 10,
      latitude: 50,
      weight: 2 ** (at % 20),
    }));
    const file = read(places);
    expect(placesIn({ ...everywhere, places: file, most: 3 })).toEqual([0, 1, 2]);
    expect(placesIn({ places: file, west: 0, south: 49, east: 1, north: 51, most: 3 })).toHaveLength(3);
  });
});

test('fold removes case, accents and apostrophes', () => {
  expect(['Århus', 'ŁÓDŹ', 'Xi’an', 'Straße', 'Øresund', 'İzmir'].map(fold)).toEqual([
    'arhus',
    'lodz',
    'xian',
    'strasse',
    'oresund',
    'izmir',
  ]);
});

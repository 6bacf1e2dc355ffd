import { describe, expect, it, test } from 'vitest';
import { decodePlaces, encodePlaces } from './places.file.ts';
import { nearest, searchPlaces, searchCountries } from './places.search.ts';

const row = (name: string, country: string, longitude: number, latitude: number, weight: number) => ({
  name,
  country,
  longitude,
  latitude,
  weight,
});
const cities = decodePlaces(
  encodePlaces([
    row('Munich', 'DE', 11.575, 48.137, 1_260_391),
    row('Prague', 'CZ', 14.421, 50.088, 1_165_581),
    row('Nairobi', 'KE', 36.817, -1.283, 2_750_547),
    row('Kiel', 'DE', 10.135, 54.321, 232_758),
    row('Frankfurt am Main', 'DE', 8.684, 50.116, 650_000),
    row('Frankfurt (Oder)', 'DE', 14.55, 52.347, 51_691),
    row('Main City', 'US', -90, 40, 900_000),
    row('Łódź', 'PL', 19.467, 51.75, 768_755),
    row('Xi’an', 'CN', 108.929, 34.258, 6_501_190),
    row('Suva', 'FJ', 178.441, -18.142, 531_000),
    row('Stratford-upon-Avon', 'GB', -1.709, 52.192, 22_000),
  ]),
);
const towns = decodePlaces(
  encodePlaces([row('Mainz', 'DE', 8.271, 49.984, 60_000), row('Main', 'US', -80, 40, 20_000)]),
);
const named = (typed: string, most = 9) =>
  searchPlaces({ places: [cities, towns], typed, most }).map(({ name }) => name);

describe('searchPlaces', () => {
  it.for([
    ['nairobi', 'Nairobi'],
    ['NAIR', 'Nairobi'],
    ['lodz', 'Łódź'],
    // By their names in their countries.
    ['münchen', 'Munich'],
    ['praha', 'Prague'],
    ['xian', 'Xi’an'],
    ["xi'an", 'Xi’an'],
    ['upon', 'Stratford-upon-Avon'],
  ] as const)('finds the place for %s', ([typed, name]) => {
    expect(named(typed)).toEqual([name]);
  });

  it('orders exact matches, then prefixes, then words within the name, each by weight', () => {
    expect(named('main')).toEqual(['Main', 'Main City', 'Mainz', 'Frankfurt am Main']);
    expect(named('frankfurt')).toEqual(['Frankfurt am Main', 'Frankfurt (Oder)']);
    expect(named('main', 2)).toEqual(['Main', 'Main City']);
  });

  it('matches only the beginnings of words, and finds nothing for an empty query', () => {
    expect(named('airobi')).toEqual([]);
    expect(named(' ')).toEqual([]);
  });

  it('returns the country and the position', () => {
    expect(searchPlaces({ places: [cities], typed: 'kiel', most: 1 })[0]).toMatchObject({
      country: 'DE',
      longitude: 10.135,
      latitude: 54.321,
    });
  });
});

test('a city with a name in the user’s language has that name, and is found by both', () => {
  const file = encodePlaces([row('Cairo', 'EG', 31.24, 30.06, 7_734_614), row('Cairo', 'US', -84.2, 30.9, 9_607)]);
  const places = [decodePlaces(file, { 'EG Cairo': 'Kairo' })];
  const found = (typed: string) =>
    searchPlaces({ places, typed, most: 9 }).map(({ name, country }) => `${name} ${country}`);
  expect(found('kairo')).toEqual(['Kairo EG']);
  expect(found('cairo')).toEqual(['Kairo EG', 'Cairo US']);
  expect(found('cai')).toEqual(['Kairo EG', 'Cairo US']);
});

describe('nearest', () => {
  const near = (longitude: number, latitude: number) => nearest({ places: cities, position: { longitude, latitude } });

  it('returns the closest city and its distance in kilometres', () => {
    const found = near(10.2, 54.9);
    expect(found?.name).toBe('Kiel');
    expect(found?.kilometres).toBeCloseTo(64.5, 0);
  });

  it('finds a city across the antimeridian', () => {
    expect(near(-180, -18.1)).toBeNull();
    expect(near(179.5, -18.1)?.name).toBe('Suva');
    expect(near(-181.2, -18.1)?.name).toBe('Suva');
  });

  it('returns null in the middle of an ocean and at a pole', () => {
    expect(near(-150, -40)).toBeNull();
    expect(near(0, 90)).toBeNull();
  });
});

const at = { longitude: 37.9, latitude: 0.5 };
const countries = decodePlaces(
  encodePlaces([
    { name: 'Kenya', country: 'KE', ...at, weight: 20_000 },
    { name: 'Germany', country: 'DE', ...at, weight: 15_000 },
    { name: 'New Zealand', country: 'NZ', ...at, weight: 12_000 },
    { name: 'Somaliland', country: '', ...at, weight: 9_000 },
  ]),
);
const german = new Intl.DisplayNames('de', { type: 'region' });
const namedCountries = (typed: string) =>
  searchCountries({ countries, typed, nameIn: (code) => (code === '' ? undefined : german.of(code)), most: 3 }).map(
    ({ name }) => name,
  );

it('finds countries by their English name and by their name in the user’s language', () => {
  expect(namedCountries('germ')).toEqual(['Deutschland']);
  expect(namedCountries('deut')).toEqual(['Deutschland']);
  expect(namedCountries('zealand')).toEqual(['Neuseeland']);
  expect(namedCountries('somali')).toEqual(['Somaliland']);
});

it('matches only the beginnings of words, and finds nothing for an empty query', () => {
  expect(namedCountries('many')).toEqual([]);
  expect(namedCountries(' ')).toEqual([]);
});

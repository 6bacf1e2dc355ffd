import { expect, it } from 'vitest';
import { searchCountries } from './places.countries.ts';
import { decodePlaces, encodePlaces } from './places.file.ts';

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
const named = (typed: string) =>
  searchCountries({ countries, typed, nameIn: (code) => (code === '' ? undefined : german.of(code)), most: 3 }).map(
    ({ name }) => name,
  );

it('finds countries by their English name and by their name in the user’s language', () => {
  expect(named('germ')).toEqual(['Deutschland']);
  expect(named('deut')).toEqual(['Deutschland']);
  expect(named('zealand')).toEqual(['Neuseeland']);
  expect(named('somali')).toEqual(['Somaliland']);
});

it('matches only the beginnings of words, and finds nothing for an empty query', () => {
  expect(named('many')).toEqual([]);
  expect(named(' ')).toEqual([]);
});

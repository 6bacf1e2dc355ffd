import { fold } from './fold.ts';
import { nameOf } from './places.file.ts';
import type { Places } from './places.file.ts';
import { placeAt } from './places.search.ts';
import type { Found } from './places.search.ts';

/** Searches countries by their English names and by those of `nameIn`, word by word like places; the largest first. */
export function searchCountries({
  countries,
  typed,
  nameIn,
  most,
}: {
  /** The countries as places. The weight is the country's width on the map; the world's is a million. */
  countries: Places;
  typed: string;
  nameIn: (code: string) => string | undefined;
  most: number;
}): Found[] {
  const query = fold(typed).trim();
  const found: Found[] = [];
  for (let index = 0; query !== '' && index < countries.weight.length && found.length < most; index += 1) {
    const country = countries.countries[countries.country[index]!]!;
    const name = nameOf(countries, index);
    const own = nameIn(country) ?? name;
    if (![name, own].some((each) => ` ${fold(each)}`.includes(` ${query}`))) continue;
    found.push({ ...placeAt(countries, index), name: own });
  }
  return found;
}

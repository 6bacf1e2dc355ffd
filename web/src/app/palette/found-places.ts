/** Places by name, without asking anybody: the files come with the product, and load with the first word. */
import { searchCountries } from '../../api/places/places.countries.ts';
import { searchPlaces } from '../../api/places/places.search.ts';
import type { Found } from '../../api/places/places.search.ts';
import { loadPlaces } from '../../api/places/places.ts';
import { countryName } from '../../text/text.ts';
import type { MapPlace } from '../../ui/map-view-url.ts';

export interface FoundPlace {
  id: string;
  /** With its country, unless it is one. */
  name: string;
  view: MapPlace;
}

/** More are found by another letter. */
const shown = 4;
/** A village is looked for when nothing larger is called so, and not by two letters. */
const longEnough = 3;

export async function findPlaces(typed: string): Promise<FoundPlace[]> {
  const [countries, cities, towns] = await Promise.all([
    loadPlaces('countries'),
    loadPlaces('cities'),
    loadPlaces('towns'),
  ]);
  const whole = searchCountries({ countries, typed, nameIn: countryName, most: 2 }).map(countryFound);
  const found = searchPlaces({ places: [cities, towns], typed, most: shown });
  const short = whole.length + found.length < shown && typed.length >= longEnough;
  const all = short
    ? searchPlaces({ places: [cities, towns, await loadPlaces('villages')], typed, most: shown })
    : found;
  return [...whole, ...all.map(placeFound)].slice(0, shown + 1);
}

/** Its room fills a part of a window. */
function countryFound({ name, longitude, latitude, weight }: Found): FoundPlace {
  const zoom = Math.round(Math.min(9, Math.max(3, Math.log2(2_400_000 / weight))));
  return { id: `country ${name}`, name, view: { zoom, lat: latitude, lng: longitude } };
}

/** The larger a place, the further away one looks at it. */
function placeFound({ name, country, longitude, latitude, weight }: Found): FoundPlace {
  const zoom = Math.round(Math.min(13, Math.max(9, 16 - Math.log10(weight))));
  const where = countryName(country);
  return {
    id: `place ${name} ${longitude} ${latitude}`,
    name: where === undefined ? name : `${name}, ${where}`,
    view: { zoom, lat: latitude, lng: longitude },
  };
}

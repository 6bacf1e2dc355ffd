/** Searches places in files of the app itself, which load with the first word. No other server is involved. */
import { searchCountries, searchPlaces } from './places.search.ts';
import type { Place } from './places.file.ts';
import { loadPlaces } from './places.ts';
import { countryName } from '../../text/formats.ts';

export interface FoundPlace {
  id: string;
  /** With its country, unless it is a country. */
  name: string;
  view: { zoom: number; lat: number; lng: number };
}

/** More places are found by typing more letters. */
const shown = 4;
/** Villages are searched only if no larger place matches, and from this many letters on. */
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
  const named = all.map(placeFound);
  const places = named.map((place) => (isOnlyOne(place, named) ? place : withPosition(place)));
  return [...whole, ...places].slice(0, shown + 1);
}

const isOnlyOne = ({ name }: FoundPlace, places: FoundPlace[]) =>
  places.filter((other) => other.name === name).length === 1;

/** Distinguishes places of the same name and country. */
function withPosition({ id, name, view }: FoundPlace): FoundPlace {
  return { id, name: `${name} (${view.lat.toFixed(1)}, ${view.lng.toFixed(1)})`, view };
}

/** The zoom at which the country fills a part of the window. */
function countryFound({ name, longitude, latitude, weight }: Place): FoundPlace {
  const zoom = Math.round(Math.min(9, Math.max(3, Math.log2(2_400_000 / weight))));
  return { id: `country ${name}`, name, view: { zoom, lat: latitude, lng: longitude } };
}

/** The larger the place, the lower the zoom. */
function placeFound({ name, country, longitude, latitude, weight }: Place): FoundPlace {
  const zoom = Math.round(Math.min(13, Math.max(9, 16 - Math.log10(weight))));
  const where = countryName(country);
  return {
    id: `place ${name} ${longitude} ${latitude}`,
    name: where === undefined ? name : `${name}, ${where}`,
    view: { zoom, lat: latitude, lng: longitude },
  };
}

import type { Position } from '@swarmdeck/bff/contract';
import { fold, nameOf, placesIn, type Place, type Places } from './places.file.ts';

/** Matches of one kind are ordered by weight already, so no more than this are read. */
const maxMatches = 60;

interface SearchPlacesOptions {
  places: readonly Places[];
  typed: string;
  most: number;
}

/** Finds places: exact matches first, then prefixes, then words within the name; each kind ordered by weight. */
export function searchPlaces({ places, typed, most }: SearchPlacesOptions): Place[] {
  const query = fold(typed).trim();
  if (query === '') return [];
  const patterns = [`\n${query}\n`, `\n${query}`, ` ${query}`, `-${query}`];
  const found = places.flatMap((file) =>
    patterns.flatMap((kind, index) => linesWith(file, kind).map((line) => ({ file, line, kind: Math.min(index, 2) }))),
  );
  const seen = new Set<string>();
  return found
    .toSorted((one, other) => one.kind - other.kind || other.file.weight[other.line]! - one.file.weight[one.line]!)
    .map(({ file, line }) => placeAt(file, line))
    .filter(({ name, longitude, latitude }) => {
      const key = `${name} ${longitude} ${latitude}`;
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, most);
}

/** The lines that contain a text, in order. */
function linesWith({ keys, keyStarts }: Places, text: string): number[] {
  const lines: number[] = [];
  for (let at = keys.indexOf(text); at >= 0 && lines.length < maxMatches; at = keys.indexOf(text, at + 1)) {
    const line = lineAt(keyStarts, at + (text.startsWith('\n') ? 1 : 0));
    if (lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}

function lineAt(starts: Uint32Array, at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}

function placeAt(places: Places, index: number): Place {
  return {
    name: nameOf(places, index),
    country: places.countries[places.country[index]!]!,
    // The file has a resolution of 100 m.
    longitude: Number(places.longitude[index]!.toFixed(3)),
    latitude: Number(places.latitude[index]!.toFixed(3)),
    weight: places.weight[index]!,
  };
}

const maxKilometres = 150;
const kilometresPerDegree = 111.2;

interface NearestPlaceOptions {
  places: Places;
  position: Position;
}

/** The place that is nearest to a position. */
export function nearest({ places, position }: NearestPlaceOptions): (Place & { kilometres: number }) | null {
  let best: ReturnType<typeof nearest> = null;
  for (const index of placesIn({ places, ...boxAround(position), most: Infinity })) {
    const place = placeAt(places, index);
    const kilometres = distance(position, place);
    if (kilometres <= maxKilometres && (best === null || kilometres < best.kilometres)) best = { ...place, kilometres };
  }
  return best;
}

/** What may be near a position. */
export function boxAround({ longitude, latitude }: Position) {
  const latitudes = maxKilometres / kilometresPerDegree;
  const cosine = Math.max(0.05, Math.cos((Math.min(90, Math.abs(latitude) + latitudes) * Math.PI) / 180));
  const longitudes = Math.min(180, latitudes / cosine);
  return {
    west: longitude - longitudes,
    east: longitude + longitudes,
    south: latitude - latitudes,
    north: latitude + latitudes,
  };
}

/** Distance along the surface, in km. */
function distance(one: Position, other: Position): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const cosines = Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude));
  const chord = half(one.latitude - other.latitude) + cosines * half(one.longitude - other.longitude);
  return ((2 * 180) / Math.PI) * Math.asin(Math.min(1, Math.sqrt(chord))) * kilometresPerDegree;
}

interface SearchCountriesOptions {
  /** The countries as places. The weight is the country's width on the map; the world's is a million. */
  countries: Places;
  typed: string;
  nameIn: (code: string) => string | undefined;
  most: number;
}

/** Searches countries by their English names and by those of `nameIn`, word by word like places; the largest first. */
export function searchCountries({ countries, typed, nameIn, most }: SearchCountriesOptions): Place[] {
  const query = fold(typed).trim();
  const found: Place[] = [];
  for (let index = 0; query !== '' && index < countries.weight.length && found.length < most; index += 1) {
    const country = countries.countries[countries.country[index]!]!;
    const name = nameOf(countries, index);
    const own = nameIn(country) ?? name;
    if (![name, own].some((each) => ` ${fold(each)}`.includes(` ${query}`))) continue;
    found.push({ ...placeAt(countries, index), name: own });
  }
  return found;
}

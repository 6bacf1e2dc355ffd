import { packNumbers, unpackNumbers } from '../packed-numbers.ts';
import { localNames } from './local-names.ts';

export interface Place {
  name: string;
  /** ISO 3166, two letters. */
  country: string;
  longitude: number;
  latitude: number;
  /** Importance: the population, more for a capital, less for a part of a town. */
  weight: number;
}

/** Many places in columns, ordered by weight. */
export interface Places {
  longitude: Float32Array;
  latitude: Float32Array;
  weight: Float32Array;
  /** Index into `countries`. */
  country: Uint8Array;
  countries: string[];
  /**
   * All names in one string, one per line, because a string is the only part that is copied out of the worker. `starts`
   * has one more entry.
   */
  names: string;
  starts: Uint32Array;
  /** The folded names for searching, with a line break before the first one too. A place may have several names. */
  keys: string;
  keyStarts: Uint32Array;
  /** The indexes of the places in each cell of `CELL` degrees: row by row from the south west. */
  cells: Uint32Array;
  cellStarts: Uint32Array;
}

/** Size of a cell, in degrees. */
const CELL = 2;
const COLUMNS = 360 / CELL;
const ROWS = 180 / CELL;

/** Resolution of positions, in degrees: about 100 m. */
const STEP = 0.001;
/** Weights are stored as logarithms with this many steps per doubling. */
const WEIGHTS = 4;

const columnAt = (longitude: number) => Math.min(COLUMNS - 1, Math.max(0, Math.floor((longitude + 180) / CELL)));
const rowAt = (latitude: number) => Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) / CELL)));

/**
 * Encodes places: a line of JSON with the countries and their numbers of places, then columns: the steps of longitude
 * and of latitude (packed-numbers.ts), the weights as bytes, and the names, one per line. Places are sorted by country
 * and latitude, which takes nine bytes per place after compression.
 */
export function encodePlaces(places: readonly Place[]): Uint8Array<ArrayBuffer> {
  const sorted = places.toSorted((one, other) =>
    one.country === other.country ? one.latitude - other.latitude : one.country < other.country ? -1 : 1,
  );
  const counts = [...Map.groupBy(sorted, ({ country }) => country)].map(([country, own]) => [country, own.length]);
  const bytes: number[] = [];
  const { putSigned } = packNumbers(bytes);
  function putSteps(values: number[]): void {
    let before = 0;
    for (const value of values) {
      const steps = Math.round(value / STEP);
      putSigned(steps - before);
      before = steps;
    }
  }
  putSteps(sorted.map(({ longitude }) => longitude));
  putSteps(sorted.map(({ latitude }) => latitude));
  for (const { weight } of sorted) bytes.push(Math.round(Math.log2(Math.max(1, weight)) * WEIGHTS));
  const text = new TextEncoder();
  const head = text.encode(`${JSON.stringify(counts)}\n`);
  const names = text.encode(sorted.map(({ name }) => name).join('\n'));
  return new Uint8Array([...head, ...bytes, ...names]);
}

/**
 * Decodes the output of `encodePlaces`. `ownNames` are the names in the user's language, by country and name in the file
 * (`EG Cairo`). Takes 100 ms for 100,000 places, so it runs in a worker.
 */
export function decodePlaces(bytes: Uint8Array, ownNames: Readonly<Record<string, string>> = {}): Places {
  const text = new TextDecoder();
  const lineEnd = bytes.indexOf(10);
  const counts = JSON.parse(text.decode(bytes.subarray(0, lineEnd))) as [string, number][];
  const count = counts.reduce((sum, [, own]) => sum + own, 0);
  const numbers = unpackNumbers(bytes, lineEnd + 1);

  function nextSteps(): Float32Array {
    let steps = 0;
    return Float32Array.from({ length: count }, () => {
      steps += numbers.nextSigned();
      return steps * STEP;
    });
  }
  const longitude = nextSteps();
  const latitude = nextSteps();
  const at = numbers.at();
  const weight = bytes.subarray(at, at + count);
  const country = new Uint8Array(count);
  let filled = 0;
  for (const [index, [, own]] of counts.entries()) country.fill(index, filled, (filled += own));
  const names = text.decode(bytes.subarray(at + count)).split('\n');

  const order = Uint32Array.from({ length: count }, (_, index) => index).sort(
    (one, other) => weight[other]! - weight[one]! || one - other,
  );
  const keyOf = (index: number) => `${counts[country[index]!]![0]} ${names[index]!}`;
  const ownName = (index: number) => ownNames[keyOf(index)];
  const ordered = Array.from(order, (index) => ownName(index) ?? names[index]!);
  const keys = Array.from(order, (index) =>
    [names[index]!, ownName(index) ?? [], localNames[keyOf(index)] ?? []].flat().map(fold).join('\n'),
  );
  const sorted = {
    longitude: longitude.map((_, index) => longitude[order[index]!]!),
    latitude: latitude.map((_, index) => latitude[order[index]!]!),
  };
  return {
    ...sorted,
    weight: Float32Array.from(order, (index) => 2 ** (weight[index]! / WEIGHTS)),
    country: country.map((_, index) => country[order[index]!]!),
    countries: counts.map(([code]) => code),
    names: ordered.join('\n'),
    starts: startsOf(ordered, 0),
    keys: `\n${keys.join('\n')}\n`,
    keyStarts: startsOf(keys, 1),
    ...cellsOf(sorted),
  };
}

/** The offset of each line, and of the end. */
function startsOf(lines: readonly string[], first: number): Uint32Array {
  const starts = new Uint32Array(lines.length + 1);
  let start = first;
  lines.forEach((line, index) => {
    starts[index] = start;
    start += line.length + 1;
  });
  starts[lines.length] = start;
  return starts;
}

function cellsOf({ longitude, latitude }: Pick<Places, 'longitude' | 'latitude'>) {
  const cellOf = (index: number) => rowAt(latitude[index]!) * COLUMNS + columnAt(longitude[index]!);
  const cellStarts = new Uint32Array(COLUMNS * ROWS + 1);
  for (let index = 0; index < longitude.length; index += 1) cellStarts[cellOf(index) + 1]! += 1;
  for (let cell = 0; cell < COLUMNS * ROWS; cell += 1) cellStarts[cell + 1]! += cellStarts[cell]!;
  const filled = cellStarts.slice();
  const cells = new Uint32Array(longitude.length);
  for (let index = 0; index < longitude.length; index += 1) {
    const cell = cellOf(index);
    cells[filled[cell]!] = index;
    filled[cell]! += 1;
  }
  return { cells, cellStarts };
}

export function nameOf({ names, starts }: Places, index: number): string {
  return names.slice(starts[index], starts[index + 1]! - 1);
}

interface PlacesInOptions {
  places: Places;
  west: number;
  south: number;
  /** Greater than `west`. */
  east: number;
  north: number;
  most: number;
}

/**
 * The indexes of the places in a box of degrees, ordered by weight, at most `most`. The box may cross the antimeridian.
 */
export function placesIn({ places, west, south, east, north, most }: PlacesInOptions): number[] {
  const { longitude, latitude, cells, cellStarts } = places;
  const isIn = (index: number) => {
    const at = longitude[index]!;
    const beyond = at + 360 * Math.ceil((west - at) / 360);
    return beyond <= east && latitude[index]! >= south && latitude[index]! <= north;
  };
  const columns = Math.min(COLUMNS, Math.floor((east - west) / CELL) + 2);
  const [first, last] = [rowAt(south), rowAt(north)];
  const found: number[] = [];
  if (columns * (last - first + 1) > (COLUMNS * ROWS) / 8) {
    for (let index = 0; index < longitude.length && found.length < most; index += 1) {
      if (isIn(index)) found.push(index);
    }
    return found;
  }
  const column = Math.floor((west + 180) / CELL);
  for (let row = first; row <= last; row += 1) {
    for (let step = 0; step < columns; step += 1) {
      const cell = row * COLUMNS + ((((column + step) % COLUMNS) + COLUMNS) % COLUMNS);
      for (let at = cellStarts[cell]!; at < cellStarts[cell + 1]!; at += 1) {
        if (isIn(cells[at]!)) found.push(cells[at]!);
      }
    }
  }
  return found.sort((one, other) => one - other).slice(0, most);
}

/** The buffers to transfer between threads. */
export function buffersOfPlaces(places: Places): ArrayBufferLike[] {
  return Object.values(places).flatMap((value: unknown) => (ArrayBuffer.isView(value) ? [value.buffer] : []));
}

/** Letters that Unicode normalization does not decompose into a plain letter and an accent. */
const plain: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

/** Folds a text for searching: without case, accents and apostrophes. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʻʼ`]/gu, '')
    .toLowerCase()
    .replace(/[łøđðħıßæœþ]/g, (letter) => plain[letter] ?? letter);
}

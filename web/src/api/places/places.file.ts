import { packNumbers, unpackNumbers } from '../packed-numbers.ts';
import { fold } from './fold.ts';

/** One place as the build reads it. */
export interface Place {
  name: string;
  /** ISO 3166, two letters. */
  country: string;
  longitude: number;
  latitude: number;
  /** How much it matters: people who live there, more for a capital, less for a part of a town. */
  weight: number;
}

/** Many places in columns, those that matter most first. */
export interface Places {
  longitude: Float32Array;
  latitude: Float32Array;
  weight: Float32Array;
  /** Where in `countries` each one's is. */
  country: Uint8Array;
  countries: string[];
  /** All names in one string, a line each: nothing to copy out of the worker but that. `starts` is one longer. */
  names: string;
  starts: Uint32Array;
  /** The same as people may type them (fold.ts), with a line break before the first too. */
  keys: string;
  keyStarts: Uint32Array;
  /** The places of each cell of `CELL` degrees, in the order of all: row by row from the south west. */
  cells: Uint32Array;
  cellStarts: Uint32Array;
}

/** Degrees. */
const CELL = 2;
const COLUMNS = 360 / CELL;
const ROWS = 180 / CELL;

/** The grid of positions, a step in degrees: 100 m. */
const STEP = 0.001;
/** Weights are kept as logarithms, to a sixth. */
const WEIGHTS = 4;

const columnAt = (longitude: number) => Math.min(COLUMNS - 1, Math.max(0, Math.floor((longitude + 180) / CELL)));
const rowAt = (latitude: number) => Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) / CELL)));

/**
 * A file: countries with their numbers of places as a line of JSON, then columns: steps of longitude, steps of
 * latitude, both packed (packed-numbers.ts), weights as bytes, and the names, a line each. Sorted by country and
 * latitude, it takes nine bytes a place when it is compressed.
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

/** Reads what `encodePlaces` has written. Costs 100 ms for 100,000 places: for a worker. */
export function decodePlaces(bytes: Uint8Array): Places {
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
  const ordered = Array.from(order, (index) => names[index]!);
  const keys = ordered.map(fold);
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

/** Where each line starts, and where one more would. */
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

/** The places in a box of degrees, those that matter most first, at most so many. It may reach over the date line. */
export function placesIn({
  places,
  west,
  south,
  east,
  north,
  most,
}: {
  places: Places;
  west: number;
  south: number;
  /** Further than `west`. */
  east: number;
  north: number;
  most: number;
}): number[] {
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

/** The buffers of places, to be handed over between threads. */
export function buffersOfPlaces(places: Places): ArrayBufferLike[] {
  return Object.values(places).flatMap((value: unknown) => (ArrayBuffer.isView(value) ? [value.buffer] : []));
}

import { buffersOf, type Lines } from '../geometry/trace.ts';
import { packNumbers, unpackNumbers } from '../../../data/packed-numbers.ts';

/** A country's name and its position, in world units. */
export interface CountryName {
  /** In English, with the abbreviations of the atlas. */
  name: string;
  /** ISO 3166, two letters; empty if there is none. */
  code: string;
  x: number;
  y: number;
  /** The width of the space for the name. */
  room: number;
}

/** The world in one level of detail, ready to be drawn. */
export interface World {
  /** Closed outlines, unwrapped at the antimeridian. Antarctica is closed below the edge. */
  land: Lines;
  /** The outlines without the cuts at the antimeridian. */
  coast: Lines;
  borders: Lines;
  /** Ordered by the space for the name. */
  names: CountryName[];
}

/** A file to decode. */
export interface WorldRequest {
  bytes: ArrayBuffer;
  /** The file is that of a cell. */
  cell?: number;
}

/** Lakes and rivers, ready to be drawn. */
export interface Waters {
  lakes: Lines;
  rivers: Lines;
}

export function buffersOfWorld({ land, coast, borders }: World): ArrayBufferLike[] {
  return [land, coast, borders].flatMap(buffersOf);
}

/** The shapes of the world, each as x, y, x, y … in world units. */
export interface Outlines {
  /** Coastlines, each unwrapped at the antimeridian. A closed one ends at its first point. */
  land: number[][];
  borders: number[][];
  /** Ordered by the space for the name. */
  names: CountryName[];
}

/**
 * Encodes outlines: the grid size as a power of two, the lines of land and borders, then the names as JSON. Points are
 * steps on the grid (packed-numbers.ts). The file has half the size of the atlas and is faster to decode.
 */
export function encodeOutlines({ land, borders, names }: Outlines, gridBits: number): Uint8Array<ArrayBuffer> {
  const bytes = [gridBits];
  const grid = 2 ** gridBits;
  const { put, putSigned } = packNumbers(bytes);
  let [atX, atY] = [0, 0];

  for (const lines of [land, borders]) {
    put(lines.length);
    for (const line of lines) {
      put(line.length / 2);
      for (let at = 0; at < line.length; at += 2) {
        const x = Math.round(line[at]! * grid);
        const y = Math.round(line[at + 1]! * grid);
        putSigned(x - atX);
        putSigned(y - atY);
        [atX, atY] = [x, y];
      }
    }
  }
  return new Uint8Array([...bytes, ...new TextEncoder().encode(JSON.stringify(names))]);
}

/** Decodes the output of `encodeOutlines`. */
export function decodeOutlines(bytes: Uint8Array): Outlines {
  const numbers = unpackNumbers(bytes, 1);
  const grid = 2 ** bytes[0]!;
  let [x, y] = [0, 0];

  function nextLine(): number[] {
    const line: number[] = [];
    for (let left = numbers.next(); left > 0; left -= 1) {
      x += numbers.nextSigned();
      y += numbers.nextSigned();
      line.push(x / grid, y / grid);
    }
    return line;
  }
  const nextLines = () => Array.from({ length: numbers.next() }, nextLine);

  const land = nextLines();
  const borders = nextLines();
  return { land, borders, names: JSON.parse(new TextDecoder().decode(bytes.subarray(numbers.at()))) as CountryName[] };
}

import type { CountryName } from './world.ts';

/** The shapes of the world, each as x, y, x, y … in world units. */
export interface Outlines {
  /** Shores, each unwrapped at the antimeridian; a shore that closes ends where it began. */
  land: number[][];
  borders: number[][];
  /** Those with the most room first. */
  names: CountryName[];
}

/**
 * A file: the grid's size as a power of two, the lines of land, those of borders, then the names as JSON. Lines are
 * counted and their points are steps on the grid, all as varints. Half of the atlas it is made from, and read at once.
 */
export function encodeOutlines({ land, borders, names }: Outlines, gridBits: number): Uint8Array<ArrayBuffer> {
  const bytes = [gridBits];
  const grid = 2 ** gridBits;
  let [atX, atY] = [0, 0];

  function put(value: number): void {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  const putSigned = (value: number) => put(value < 0 ? -2 * value - 1 : 2 * value);

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

/** Reads what `encodeOutlines` has written. */
export function decodeOutlines(bytes: Uint8Array): Outlines {
  let at = 1;
  const grid = 2 ** bytes[0]!;
  let [x, y] = [0, 0];

  function next(): number {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = bytes[at++]!;
      value += (byte % 128) * place;
      if (byte < 128) return value;
    }
  }
  function nextSigned(): number {
    const value = next();
    return value % 2 === 0 ? value / 2 : (value + 1) / -2;
  }
  function nextLine(): number[] {
    const line: number[] = [];
    for (let left = next(); left > 0; left -= 1) {
      x += nextSigned();
      y += nextSigned();
      line.push(x / grid, y / grid);
    }
    return line;
  }
  const nextLines = () => Array.from({ length: next() }, nextLine);

  const land = nextLines();
  const borders = nextLines();
  return { land, borders, names: JSON.parse(new TextDecoder().decode(bytes.subarray(at))) as CountryName[] };
}

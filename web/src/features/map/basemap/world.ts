import { buffersOf } from '../geometry/lines.ts';
import type { Lines } from '../geometry/lines.ts';

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

export function buffersOfWorld({ land, coast, borders }: World): ArrayBufferLike[] {
  return [land, coast, borders].flatMap(buffersOf);
}

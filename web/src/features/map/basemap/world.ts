import { buffersOf } from '../geometry/lines.ts';
import type { Lines } from '../geometry/lines.ts';

/** Where a country's name goes, in world units. */
export interface CountryName {
  /** In English, as maps shorten it. */
  name: string;
  /** ISO 3166, two letters; empty where there is none. */
  code: string;
  x: number;
  y: number;
  /** How much room the country has for it from west to east. */
  room: number;
}

/** The world in one grade of detail, ready to be drawn. */
export interface World {
  /** Closed outlines, unwrapped at the antimeridian, Antarctica closed beneath the world's edge. */
  land: Lines;
  /** Those outlines without the cuts that are no coast. */
  coast: Lines;
  borders: Lines;
  /** Those with the most room first. */
  names: CountryName[];
}

export function buffersOfWorld({ land, coast, borders }: World): ArrayBufferLike[] {
  return [land, coast, borders].flatMap(buffersOf);
}

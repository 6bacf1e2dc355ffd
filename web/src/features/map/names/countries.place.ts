import type { CountryName } from '../basemap/world.ts';
import { boxAround } from '../geometry/boxes.ts';
import type { Frame } from '../geometry/trace.ts';
import type { NameRoom } from './name-room.ts';

const HEIGHT = 16;
/** The minimum width of the world for country names: zoom 3. */
const LEAST_SCALE = 2048;
/** A name may be this much wider than the widest stretch of its country. */
const OVERHANG = 1.15;

/** A placed name. `x` and `y` are its centre. */
export interface PlacedCountry {
  text: string;
  x: number;
  y: number;
}

/** Places the names of countries that have space, where they cover no symbol and no name of a larger country. */
export function placeCountries({
  names,
  frame: { scale, left, top, width, height },
  room,
  textOf,
  measure,
}: {
  /** Ordered by the space for the name. */
  names: readonly CountryName[];
  frame: Frame;
  room: NameRoom;
  textOf: (name: CountryName) => string;
  measure: (text: string) => number;
}): PlacedCountry[] {
  if (scale < LEAST_SCALE) return [];
  const placed: PlacedCountry[] = [];
  for (const name of names) {
    const y = name.y * scale - top;
    if (y < -HEIGHT || y > height + HEIGHT) continue;
    const text = textOf(name);
    let wide = 0;
    const first = Math.ceil((left - width) / scale - name.x);
    for (let copy = first; (name.x + copy) * scale - left < 2 * width; copy += 1) {
      wide ||= measure(text);
      if (wide > name.room * scale * OVERHANG) break;
      const x = (name.x + copy) * scale - left;
      const box = boxAround({ x, y, width: wide, height: HEIGHT });
      if (!room.isFree(box, 0)) continue;
      room.take(box);
      placed.push({ text, x, y });
    }
  }
  return placed;
}

import { graticuleStep } from '../basemap/basemap.draw.ts';
import { boxAround } from '../geometry/boxes.ts';
import { latitudeAt, longitudeAt, worldX, worldY, wrapLongitude } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';
import type { NameRoom } from './name-room.ts';

const HEIGHT = 14;
/** The distance of the text from its parallel and its meridian. */
const UP = 9;
const ASIDE = 5;

/** A crossing of two lines of the graticule. `x` and `y` are the centre of its text. */
export interface PlacedCrossing {
  text: string;
  x: number;
  y: number;
}

/** Labels the crossings of the graticule that have space, for views without names. */
export function placeCrossings({
  frame: { scale, left, top, width, height },
  room,
  textOf,
  measure,
}: {
  frame: Frame;
  room: NameRoom;
  textOf: (position: { latitude: number; longitude: number }) => string;
  measure: (text: string) => number;
}): PlacedCrossing[] {
  const step = graticuleStep(scale);
  const placed: PlacedCrossing[] = [];
  // Steps are counted, because adding 0.1 three times does not give 0.3.
  const steps = (from: number, to: number) => {
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, at) => (first + at) / (1 / step));
  };
  for (const latitude of steps(latitudeAt((top + height) / scale), latitudeAt(top / scale))) {
    for (const longitude of steps(longitudeAt(left / scale), longitudeAt((left + width) / scale))) {
      const text = textOf({ latitude, longitude: wrapLongitude(longitude) });
      const wide = measure(text);
      const x = worldX(longitude) * scale - left + ASIDE + wide / 2;
      const y = worldY(latitude) * scale - top - UP;
      const box = boxAround({ x, y, width: wide, height: HEIGHT });
      if (!room.isFree(box, 0)) continue;
      room.take(box);
      placed.push({ text, x, y });
    }
  }
  return placed;
}

import { nameOf, placesIn } from '../../../api/places/places.file.ts';
import type { Places } from '../../../api/places/places.file.ts';
import { latitudeAt, longitudeAt, worldX, worldY } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';
import type { CityAt } from './cities.place.ts';

/** At most this many cities of each file are tried. */
const MOST = 400;

/** The cities of a frame, by file, in each visible copy of the world. */
export function* citiesIn({ files, frame }: { files: readonly Places[]; frame: Frame }): Generator<CityAt> {
  const { scale, left, top, width, height } = frame;
  const west = longitudeAt(left / scale);
  const box = {
    west,
    east: Math.min(west + 360, longitudeAt((left + width) / scale)),
    south: latitudeAt((top + height) / scale),
    north: latitudeAt(top / scale),
  };
  for (const [file, places] of files.entries()) {
    for (const index of placesIn({ places, ...box, most: MOST })) {
      const name = nameOf(places, index);
      const weight = places.weight[index]!;
      const y = worldY(places.latitude[index]!) * scale - top;
      const own = worldX(places.longitude[index]!) * scale - left;
      for (let copy = Math.ceil(-own / scale); own + copy * scale <= width; copy += 1) {
        yield { key: `${file} ${index} ${copy}`, name, weight, x: own + copy * scale, y };
      }
    }
  }
}

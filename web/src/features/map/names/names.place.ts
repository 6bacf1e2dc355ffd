import { formatNumber, t } from '../../../text/text.ts';
import type { Places } from '../../../api/places/places.file.ts';
import type { CountryName } from '../basemap/world.ts';
import { overlaps } from '../geometry/boxes.ts';
import { worldSize } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';
import { placeCities } from './cities.place.ts';
import type { PlacedCity, Side } from './cities.place.ts';
import { citiesIn } from './cities.ts';
import { placeCountries } from './countries.place.ts';
import type { PlacedCountry } from './countries.place.ts';
import { countryText } from './country-text.ts';
import { placeCrossings } from './crossings.place.ts';
import type { PlacedCrossing } from './crossings.place.ts';
import { createNameRoom } from './name-room.ts';
import type { Taken } from './name-room.ts';
import type { Ruler } from './ruler.ts';

export interface PlacedNames {
  countries: PlacedCountry[];
  cities: PlacedCity[];
  /** In views with few names. */
  crossings: PlacedCrossing[];
}

/** A view with more cities than this has no labelled crossings. */
const FEW = 3;
/** Below zoom 5 crossings are not labelled, because the coasts are recognisable. */
const NEAR = worldSize(5);

/** Places the names of a frame: first countries, then cities in the remaining space. */
export function placeNames({
  countries,
  files,
  frame,
  taken,
  ruler,
  before,
}: {
  countries: readonly CountryName[];
  files: readonly Places[];
  frame: Frame;
  taken: Taken;
  ruler: Ruler;
  /** The previous sides of cities. */
  before: ReadonlyMap<string, Side>;
}): PlacedNames {
  const room = createNameRoom(taken);
  const placed = {
    countries: placeCountries({ names: countries, frame, room, textOf: countryText, measure: ruler.country }),
    cities: placeCities({ cities: citiesIn({ files, frame }), scale: frame.scale, room, measure: ruler.city, before }),
  };
  const named = placed.cities.filter(({ x, y }) => overlaps({ left: x, right: x, top: y, bottom: y }, taken.view));
  const empty = frame.scale >= NEAR && named.length <= FEW;
  return {
    ...placed,
    crossings: empty ? placeCrossings({ frame, room, textOf: crossingText, measure: ruler.crossing }) : [],
  };
}

/** "54.5° N 9° E". */
function crossingText({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const parallel = formatNumber(Math.abs(latitude));
  const meridian = formatNumber(Math.abs(longitude));
  const north = latitude < 0 ? t.map.south(parallel) : t.map.north(parallel);
  return `${north} ${longitude < 0 ? t.map.west(meridian) : t.map.east(meridian)}`;
}

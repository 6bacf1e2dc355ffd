import { language } from '../../../text/language.ts';
import { formatNumber, t } from '../../../text/text.ts';
import type { CountryName } from '../basemap/world.ts';
import { overlaps, boxAround, within, type Rect, type Disc } from '../geometry/boxes.ts';
import { degreesOf, worldSize, latitudeAt, longitudeAt, worldX, worldY, wrapLongitude } from '../geometry/mercator.ts';
import { Occupied } from '../geometry/occupied.ts';
import type { Frame } from '../geometry/trace.ts';
import { graticuleStep } from '../basemap/basemap.draw.ts';
import { nameOf, placesIn, type Places } from '../../../data/places/places.file.ts';

/** Measures the width of names, in px. */
export interface Ruler {
  country(text: string): number;
  city(text: string): number;
  crossing(text: string): number;
}

export interface PlacedNames {
  countries: PlacedText[];
  cities: PlacedCity[];
  /** The labels of the lines of the graticule, in views with few names. */
  crossings: PlacedText[];
}

/** `x` and `y` are its centre. */
interface PlacedText {
  text: string;
  x: number;
  y: number;
}

/** A view with more cities than this has no labelled crossings. */
const FEW = 3;
/** Below zoom 5 crossings are not labelled, because the coasts are recognisable. */
const NEAR = worldSize(5);

interface PlaceNamesOptions {
  countries: readonly CountryName[];
  files: readonly Places[];
  frame: Frame;
  taken: Taken;
  ruler: Ruler;
  /** The previous sides of cities. */
  before: ReadonlyMap<string, Side>;
  /** The part of the frame with tiles, over which no crossing is labelled. */
  tiled?: Rect | undefined;
}

/** Places the names of a frame: first countries, then cities in the remaining space. */
export function placeNames({ countries, files, frame, taken, ruler, before, tiled }: PlaceNamesOptions): PlacedNames {
  const room = createNameRoom(taken);
  const placed = {
    countries: placeCountries({ names: countries, frame, room, measure: ruler.country }),
    cities: placeCities({ cities: citiesIn({ files, frame }), scale: frame.scale, room, measure: ruler.city, before }),
  };
  const named = placed.cities.filter(({ x, y }) => overlaps({ left: x, right: x, top: y, bottom: y }, taken.view));
  const empty = frame.scale >= NEAR && named.length <= FEW;
  return {
    ...placed,
    crossings: empty ? placeCrossings({ frame, room, textOf: crossingText, measure: ruler.crossing, tiled }) : [],
  };
}

/** "54.5° N 9° E". */
function crossingText({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const parallel = formatNumber(Math.abs(latitude));
  const meridian = formatNumber(Math.abs(longitude));
  const north = latitude < 0 ? t.map.south(parallel) : t.map.north(parallel);
  return `${north} ${longitude < 0 ? t.map.west(meridian) : t.map.east(meridian)}`;
}

const HEIGHT = 16;
/** The radius of a dot with its halo. */
const DOT = 4;
/** The distance from the dot to the middle of a line above or below it, and to the end of one beside it. */
const ABOVE = 11.5;
const ASIDE = 7;
const GAP = 8;
/** The radius of the largest symbol beside which the name of the city below it is shown: a selected device, in px. */
const SYMBOL = 24;
/** A city that is small for the zoom is named only if no other city is this near, in px. */
const LONELY_GAP = 72;

/** In the order in which they are tried. */
export const sides = ['above', 'right', 'left', 'below'] as const;
export type Side = (typeof sides)[number];

export interface CityAt {
  /** Identifies the city in every view. */
  key: string;
  name: string;
  weight: number;
  /** The position of its dot. */
  x: number;
  y: number;
}

interface PlacedCity extends CityAt {
  side: Side;
  /** A symbol covers the dot, and the name is beside the symbol. */
  isCovered: boolean;
  /** The centre of its name. */
  textX: number;
  textY: number;
}

/** The population from which cities are named if the world is `scale` px wide. */
export function usualWeight(scale: number): number {
  return 150_000 * 2.5 ** (6 - Math.log2(scale / 256));
}

interface PlaceCitiesOptions {
  /** Ordered by weight. */
  cities: Iterable<CityAt>;
  scale: number;
  room: NameRoom;
  measure: (text: string) => number;
  /** The previous sides, by key. */
  before: ReadonlyMap<string, Side>;
}

/**
 * Places the names of cities on the first free side of their dots, ordered by weight. The order does not depend on the
 * view, and a name prefers its previous side, so that names do not jump while the map moves.
 */
export function placeCities({ cities, scale, room, measure, before }: PlaceCitiesOptions): PlacedCity[] {
  const usual = usualWeight(scale);
  const placed: PlacedCity[] = [];
  for (const city of cities) {
    const dot = boxAround({ x: city.x, y: city.y, width: 2 * DOT, height: 2 * DOT });
    const gap = city.weight >= usual ? GAP : LONELY_GAP;
    const symbol = gap === GAP ? room.symbolOver(dot) : undefined;
    if (!symbol && !room.isFree(dot, gap === GAP ? 0 : gap)) continue;
    const width = measure(city.name);
    const known = before.get(city.key);
    const tried = known ? [known, ...sides.filter((side) => side !== known)] : sides;
    for (const side of tried) {
      const text = textBox({ at: symbol ?? city, past: symbol ? symbol.radius - 2 : 0, side, width });
      // A dot is drawn only with its name.
      if (!room.isFree(symbol ? text : around(text, dot), gap)) continue;
      room.take(text);
      if (!symbol) room.take(dot);
      const middle = { textX: (text.left + text.right) / 2, textY: (text.top + text.bottom) / 2 };
      placed.push({ ...city, side, isCovered: symbol !== undefined, ...middle });
      break;
    }
  }
  return placed;
}

function around(one: Rect, other: Rect): Rect {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

interface TextBoxOptions {
  at: { x: number; y: number };
  /** What is there is this much larger than a dot, in px. */
  past: number;
  side: Side;
  width: number;
}

function textBox({ at: { x, y }, past, side, width }: TextBoxOptions): Rect {
  const [aside, above] = [ASIDE + past + width / 2, ABOVE + past];
  const middle = {
    above: { x, y: y - above },
    right: { x: x + aside, y },
    left: { x: x - aside, y },
    below: { x, y: y + above },
  }[side];
  return boxAround({ ...middle, width, height: HEIGHT });
}

/** The minimum width of the world for country names: zoom 3. */
const LEAST_SCALE = 2048;
/** A name may be this much wider than the widest stretch of its country. */
const OVERHANG = 1.15;

interface PlaceCountriesOptions {
  /** Ordered by the space for the name. */
  names: readonly CountryName[];
  frame: Frame;
  room: NameRoom;
  measure: (text: string) => number;
}

/** Places the names of countries that have space, where they cover no symbol and no name of a larger country. */
function placeCountries({
  names,
  frame: { scale, left, top, width, height },
  room,
  measure,
}: PlaceCountriesOptions): PlacedText[] {
  if (scale < LEAST_SCALE) return [];
  const placed: PlacedText[] = [];
  for (const name of names) {
    const y = name.y * scale - top;
    if (y < -HEIGHT || y > height + HEIGHT) continue;
    const text = countryText(name);
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

const CROSSING_HEIGHT = 14;
/** The distance of the text from its parallel and its meridian. */
const UP = 9;
const CROSSING_ASIDE = 5;

interface PlaceCrossingsOptions {
  frame: Frame;
  room: NameRoom;
  textOf: (position: { latitude: number; longitude: number }) => string;
  measure: (text: string) => number;
  tiled?: Rect | undefined;
}

/** Labels the crossings of the graticule that have space, for views without names. */
export function placeCrossings({
  frame: { scale, left, top, width, height },
  room,
  textOf,
  measure,
  tiled,
}: PlaceCrossingsOptions): PlacedText[] {
  const step = graticuleStep(scale);
  const placed: PlacedText[] = [];
  // Steps are counted, because adding 0.1 three times does not give 0.3.
  const steps = (from: number, to: number) => {
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, at) => (first + at) / (1 / step));
  };
  for (const latitude of steps(latitudeAt((top + height) / scale), latitudeAt(top / scale))) {
    for (const longitude of steps(longitudeAt(left / scale), longitudeAt((left + width) / scale))) {
      const text = textOf({ latitude, longitude: wrapLongitude(longitude) });
      const wide = measure(text);
      const x = worldX(longitude) * scale - left + CROSSING_ASIDE + wide / 2;
      const y = worldY(latitude) * scale - top - UP;
      const box = boxAround({ x, y, width: wide, height: CROSSING_HEIGHT });
      if ((tiled && overlaps(box, tiled)) || !room.isFree(box, 0)) continue;
      room.take(box);
      placed.push({ text, x, y });
    }
  }
  return placed;
}

/** The space that is free for names. */
interface NameRoom {
  /** `gap`: the distance to other names, in px. */
  isFree(box: Rect, gap: number): boolean;
  /** The symbol of a single device that covers a part of the box, but not that of a large cluster. */
  symbolOver(box: Rect): Disc | undefined;
  take(box: Rect): void;
}

/** The space that is taken already. */
export interface Taken {
  /**
   * The visible part of the frame, and the uncovered part of it. A name must be entirely inside it, or entirely
   * outside.
   */
  screen: Rect;
  view: Rect;
  /** Elements over the map: controls, credits. */
  covered: readonly Rect[];
  /** The symbols and labels of devices, which are above the names. */
  discs: readonly Disc[];
  boxes: readonly Rect[];
}

export function createNameRoom({ screen, view, covered, discs, boxes }: Taken): NameRoom {
  const symbols = new Occupied();
  for (const disc of discs) symbols.addDisc(disc);
  for (const box of [...boxes, ...covered]) symbols.addBox(box);
  const names = new Occupied();
  return {
    isFree: (box, gap) =>
      (within(box, view) || !overlaps(box, screen)) && symbols.isFree(box) && names.isFree(grown(box, gap)),
    symbolOver(box) {
      const disc = symbols.discOver(box);
      return disc && disc.radius <= SYMBOL ? disc : undefined;
    },
    take: (box) => names.addBox(box),
  };
}

function grown({ left, top, right, bottom }: Rect, by: number): Rect {
  // Vertical distances may be smaller than horizontal ones.
  return { left: left - by, top: top - by / 2, right: right + by, bottom: bottom + by / 2 };
}

/** At most this many cities of each file are tried. */
const MOST = 400;

/** The cities of a frame, by file, in each visible copy of the world. */
function* citiesIn({ files, frame }: { files: readonly Places[]; frame: Frame }): Generator<CityAt> {
  const { scale, left, top, width } = frame;
  const box = degreesOf(frame);
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

// The names of the atlas are in English and abbreviated for maps.
const displayNames = language.startsWith('en')
  ? null
  : new Intl.DisplayNames(language, { type: 'region', style: 'short', fallback: 'none' });

const texts = new Map<string, string>();

/** A country's name in capitals, in the app's language if the browser knows it. */
function countryText({ name, code }: CountryName): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const text = ((code !== '' && displayNames?.of(code)) || name).toLocaleUpperCase(language);
  texts.set(name, text);
  return text;
}

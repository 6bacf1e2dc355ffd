import { machineTypes } from '../limits.ts';
import type { DeviceFilters, DeviceSort } from '../contract.ts';
import { Problem } from '../problem.ts';
import type { FieldFault } from '../problem.ts';

export type Bbox = NonNullable<DeviceFilters['bbox']>;

/** Where a page of the list goes on: after the device with this sort key and id. */
export interface Cursor {
  key: string;
  id: string;
}

export interface ListQuery {
  filters: DeviceFilters;
  sort: DeviceSort;
  cursor: Cursor | undefined;
  /** 0: the counts alone. */
  limit: number;
}

export interface MapQuery {
  /** Without `bbox`: on the map it is the view, and the totals are of everything that matches. */
  filters: Omit<DeviceFilters, 'bbox'>;
  bbox: Bbox;
  zoom: number;
}

const sorts: readonly DeviceSort[] = ['name', '-changed', '-created'];
const world: Bbox = [-180, -90, 180, 90];
const longestText = 200;

/**
 * What `GET /api/devices` is asked. Unknown parameters are ignored, empty ones are as if absent.
 * Throws `query.invalid` (400) that names every bad parameter, as `?bbox`.
 */
export function readListQuery(params: URLSearchParams): ListQuery {
  const query = createReader(params);
  const bbox = query.read('bbox', readBbox, bboxExpected);
  const filters: DeviceFilters = { ...readFilters(query), ...(bbox && { bbox }) };
  const sort = query.read('sort', oneOf(sorts), `one of ${sorts.join(', ')}`) ?? 'name';
  const limit = query.read('limit', wholeNumber({ most: 200 }), 'a whole number from 0 to 200') ?? 100;
  const cursor = query.read('cursor', (text) => readCursor({ text, sort }), '`next` of a page with the same sort');
  query.refuse();
  return { filters, sort, limit, cursor };
}

/** What `GET /api/map` is asked: the filters of the list, and a view; without `bbox` the whole world. */
export function readMapQuery(params: URLSearchParams): MapQuery {
  const query = createReader(params);
  const filters = readFilters(query);
  const bbox = query.read('bbox', readBbox, bboxExpected) ?? world;
  const zoom = query.read('zoom', wholeNumber({ most: 22 }), zoomExpected) ?? query.lack('zoom', zoomExpected);
  query.refuse();
  return { filters, bbox, zoom };
}

export function writeCursor({ sort, key, id }: Cursor & { sort: DeviceSort }): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');
}

const bboxExpected = 'west,south,east,north in degrees, south not above north';
const zoomExpected = 'a whole number from 0 to 22';

function readFilters({ read }: Reader): MapQuery['filters'] {
  const audience = read('audience', readAudience, '`own`, `visible` or `swarm:<id>`') ?? 'own';
  const q = read('q', (text) => (text.length <= longestText ? text : undefined), `at most ${longestText} characters`);
  const machine_type = read('machine_type', readMachineTypes, `some of ${machineTypes.join(',')}`);
  const swarm = read('swarm', readId, 'the id of a swarm, or `none`');
  const placed = read('placed', oneOf(['yes', 'no'] as const), '`yes` or `no`');
  return {
    audience,
    ...(q?.trim() && { q: q.trim() }),
    ...(machine_type && { machine_type }),
    ...(swarm && { swarm }),
    ...(placed && { placed }),
  };
}

type Reader = ReturnType<typeof createReader>;

function createReader(params: URLSearchParams) {
  const errors: FieldFault[] = [];
  const fault = (name: string, detail: string) => errors.push({ pointer: `?${name}`, code: 'query.invalid', detail });

  /** Undefined where it is absent, and where `parse` took it for none of what is `expected`. */
  function read<T>(name: string, parse: (text: string) => T | undefined, expected: string): T | undefined {
    const [text, ...more] = params.getAll(name);
    if (text === undefined || text === '') return undefined;
    const value = more.length === 0 ? parse(text) : undefined;
    if (value === undefined) fault(name, more.length === 0 ? `takes ${expected}` : 'stands here twice');
    return value;
  }

  return {
    read,
    /** For a parameter that has no default. */
    lack(name: string, expected: string): number {
      if (!params.get(name)) fault(name, `is required: ${expected}`);
      return 0;
    },
    refuse() {
      if (errors.length > 0) throw new Problem('query.invalid', { errors });
    },
  };
}

function oneOf<T extends string>(allowed: readonly T[]) {
  return (text: string) => allowed.find((each) => each === text);
}

function wholeNumber({ most }: { most: number }) {
  return (text: string) => (/^\d{1,3}$/.test(text) && Number(text) <= most ? Number(text) : undefined);
}

function readId(text: string): string | undefined {
  return /^[\w-]{1,64}$/.test(text) ? text : undefined;
}

function readAudience(text: string): string | undefined {
  if (text === 'own' || text === 'visible') return text;
  return text.startsWith('swarm:') && readId(text.slice('swarm:'.length)) ? text : undefined;
}

/** In the order of the contract and each once, so that one choice has one form. */
function readMachineTypes(text: string): DeviceFilters['machine_type'] | undefined {
  const wanted: string[] = text.split(',');
  const found = machineTypes.filter((type) => wanted.includes(type));
  return wanted.every((each) => found.some((type) => type === each)) ? found : undefined;
}

function readBbox(text: string): Bbox | undefined {
  const parts = text.split(',');
  if (!parts.every((part) => /^-?\d+(\.\d*)?(e-?\d+)?$/i.test(part))) return undefined;
  const [west, south, east, north, ...more] = parts.map(Number);
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined;
  const onEarth = Math.max(Math.abs(west), Math.abs(east)) <= 180 && south >= -90 && south <= north && north <= 90;
  return onEarth && more.length === 0 ? [west, south, east, north] : undefined;
}

function readCursor({ text, sort }: { text: string; sort: DeviceSort }): Cursor | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [of, key, id] = value as unknown[];
  return of === sort && typeof key === 'string' && typeof id === 'string' ? { key, id } : undefined;
}

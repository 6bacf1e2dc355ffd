/** Parses the queries of lists and maps. */
import { z } from '@hono/zod-openapi';
import type { DeviceFilters, DeviceSort, Position } from '../../contract.ts';
import {
  id,
  oneOf,
  parsed,
  readQuery,
  someOf,
  wholeNumber,
  checkedCursor,
  devicePageParameters,
  searchParameter,
} from '../../core/http/query.ts';
import { Problem } from '../../core/problem.ts';
import { machineTypes, memberRoles, presenceStates } from '../../core/limits/field-rules.ts';
import { swarmOf, world, type Bbox, type ListQuery, type MapQuery } from './device-query.ts';
import { queryLimits } from '../../core/limits/part-limits.ts';

const sorts = [
  'name',
  '-changed',
  '-created',
  '-heard',
  'near',
  'value',
  '-value',
] as const satisfies readonly DeviceSort[];
/** Sort orders for members only. */
const memberSorts = ['owner', '-joined'] as const satisfies readonly DeviceSort[];

/**
 * Parses the query of `GET /api/devices`, or of `GET /api/swarms/:id/members` with `swarm`.
 * @throws `query.invalid` (400) with all invalid parameters, as `?bbox`
 */
export function readListQuery(params: URLSearchParams, { swarm }: { swarm?: string } = {}): ListQuery {
  const given = new URLSearchParams(params);
  if (swarm !== undefined) given.set('audience', `swarm:${swarm}`);
  const query = readQuery(given, isOfSwarm(given) ? listOfSwarm : list);
  const { sort, near, limit, cursor, offset, around, counts, values, ...filters } = query;
  if (sort === 'near' && !near) throw requiredForSort('near');
  if ((sort === 'value' || sort === '-value') && filters.value === undefined) throw requiredForSort('value');
  return {
    filters,
    sort,
    limit,
    counts,
    cursor: checkedCursor(cursor, sort),
    ...(near && { near }),
    ...(offset !== undefined && { offset }),
    ...(around && { around }),
    ...(values && { values }),
  };
}

const requiredForSort = (name: string) =>
  new Problem('query.invalid', {
    errors: [{ pointer: `?${name}`, code: 'query.invalid', detail: 'is required for this sort' }],
  });

/** Parses the query of `GET /api/map`: the filters of the list and a view, by default the whole world. */
export function readMapQuery(params: URLSearchParams): MapQuery {
  const { zoom, bbox, values, ...filters } = readQuery(params, isOfSwarm(params) ? mapOfSwarm : map);
  return { filters, bbox, zoom, ...(values && { values }) };
}

/** Parses `values`: the keys whose last values a device has. */
export const readValuesQuery = (params: URLSearchParams): string[] =>
  readQuery(params, z.object({ values })).values ?? [];

/** Parses a query with only an audience; by default the user's own devices. */
export function readAudienceQuery(params: URLSearchParams): string {
  return readQuery(params, z.object({ audience })).audience;
}

/** Parses `ids`, separated by commas. */
export function readIdsQuery(params: URLSearchParams): string[] {
  return readQuery(params, z.object({ ids })).ids;
}

const ids = parsed(`up to ${queryLimits.ids} ids of devices, separated by commas`, (text) => {
  const found = text.split(',');
  const isValid = found.length <= queryLimits.ids && found.every((each) => /^[\w-]{1,64}$/.test(each));
  return isValid ? found : undefined;
});

const ownFilters = [
  'q',
  'action',
  'machine_type',
  'presence',
  'swarm',
  'not_in',
  'placed',
  'refused',
  'bbox',
  'value',
  'value_from',
  'value_to',
];

/**
 * Parses the filters on the user's own devices, or on the members of a swarm; other parameters are ignored.
 * @throws Problem `query.invalid`
 */
export function readFilters(options: { params: URLSearchParams; swarm?: string | undefined }): DeviceFilters {
  const { params, swarm } = options;
  const names = swarm === undefined ? ownFilters : [...ownFilters, 'resource_type'];
  const named = new URLSearchParams([...params].filter(([name]) => names.includes(name)));
  return readListQuery(named, swarm === undefined ? {} : { swarm }).filters;
}

const audience = z
  .string()
  .regex(/^(own|visible|swarm:[\w-]{1,64})$/, 'must be `own`, `visible` or `swarm:<id>`')
  .default('own');
const isOfSwarm = (params: URLSearchParams) => swarmOf(params.get('audience') ?? '') !== undefined;

const keyOfValue = parsed('a key', readKey);
const number = parsed('a number', (text) => (Number.isFinite(Number(text)) ? Number(text) : undefined));
const values = parsed(`up to ${queryLimits.keys} keys, separated by commas`, (text) => {
  const found = text.split(',').map(readKey);
  return found.length <= queryLimits.keys && !found.includes(undefined) ? (found as string[]) : undefined;
}).optional();

/** A comma in a key is `%2C`, and a percent sign `%25`. */
function readKey(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const filtersOfSwarm = {
  audience,
  q: searchParameter,
  action: id('the id of an action').optional(),
  machine_type: someOf(machineTypes).optional(),
  resource_type: someOf(memberRoles).optional(),
  presence: someOf(presenceStates).optional(),
  swarm: id('the id of a swarm, or `none`').optional(),
  placed: oneOf(['yes', 'no']).optional(),
  refused: oneOf(['yes']).optional(),
  value: keyOfValue.optional(),
  value_from: number.optional(),
  value_to: number.optional(),
};
const filters = {
  ...filtersOfSwarm,
  resource_type: z.undefined('is allowed only with audience=swarm:<id>').optional(),
};

const bbox = parsed('west,south,east,north in degrees, south not above north', readBbox);
const page = {
  bbox: bbox.optional(),
  not_in: id('the id of a swarm').optional(),
  near: parsed('latitude,longitude in degrees', readPoint).optional(),
  ...devicePageParameters(),
  offset: wholeNumber({ most: 9_999_999 }).optional(),
  around: id('the id of a device').optional(),
  counts: oneOf(['now', 'later']).default('now'),
  values,
};
const list = z.object({ ...filters, ...page, sort: oneOf(sorts).default('name') });
const listOfSwarm = z.object({ ...filtersOfSwarm, ...page, sort: oneOf([...sorts, ...memberSorts]).default('name') });

const view = { values, bbox: bbox.default(world), zoom: wholeNumber({ most: 22 }) };
const map = z.object({ ...filters, ...view });
const mapOfSwarm = z.object({ ...filtersOfSwarm, ...view });

function readPoint(text: string): Position | undefined {
  const [latitude, longitude, ...more] = readDegrees(text) ?? [];
  if (latitude === undefined || longitude === undefined || more.length > 0) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

function readBbox(text: string): Bbox | undefined {
  const [west, south, east, north, ...more] = readDegrees(text) ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined;
  const onEarth = Math.max(Math.abs(west), Math.abs(east)) <= 180 && south >= -90 && south <= north && north <= 90;
  return onEarth && more.length === 0 ? [west, south, east, north] : undefined;
}

function readDegrees(text: string): number[] | undefined {
  const parts = text.split(',');
  return parts.every((part) => /^-?\d+(\.\d*)?(e-?\d+)?$/i.test(part)) ? parts.map(Number) : undefined;
}

import type { DeviceFilters, DeviceSort } from '../contract.ts';
import { machineTypes, memberRoles } from '../limits/field-limits.ts';
import { createUrlQuery, oneOf, readId, someOf, wholeNumber } from './url-query.ts';
import type { Cursor, UrlQuery } from './url-query.ts';

export type Bbox = NonNullable<DeviceFilters['bbox']>;

export interface ListQuery {
  filters: DeviceFilters;
  sort: DeviceSort;
  cursor: Cursor | undefined;
  /** Without a cursor: the page starts at this row, or has this device in its middle. */
  offset?: number;
  around?: string;
  /** 0 returns only the counts. */
  limit: number;
  /** With `later`, rows do not wait for the counts if they can be read without. */
  counts: 'now' | 'later';
}

export interface MapQuery {
  /** Without `bbox`, because on the map that is the view, and the totals include all matches. */
  filters: Omit<DeviceFilters, 'bbox'>;
  bbox: Bbox;
  zoom: number;
}

interface PictureQuery {
  filters: MapQuery['filters'];
  picture: { bbox: Bbox; width: number; height: number };
}

const sorts = ['name', '-changed', '-created'] as const satisfies readonly DeviceSort[];
/** Sort orders for members only. */
const memberSorts = ['owner', '-joined'] as const satisfies readonly DeviceSort[];
export const world: Bbox = [-180, -90, 180, 90];

/**
 * Parses the query of `GET /api/devices`, or of `GET /api/swarms/:id/members` with `swarm`.
 * @throws `query.invalid` (400) with all invalid parameters, as `?bbox`
 */
export function readListQuery(params: URLSearchParams, { swarm }: { swarm?: string } = {}): ListQuery {
  const query = createUrlQuery(params);
  const bbox = query.read('bbox', readBbox, bboxExpected);
  const filters: DeviceFilters = { ...readFilters(query, swarm), ...(bbox && { bbox }) };
  const known = swarmOf(filters.audience) === undefined ? sorts : [...sorts, ...memberSorts];
  const sort = query.read('sort', oneOf<DeviceSort>(known), `one of ${known.join(', ')}`) ?? 'name';
  const page = query.page({ sort, most: mostDevices });
  const offset = query.read('offset', wholeNumber({ most: mostOffset }), 'a whole number of rows');
  const around = query.read('around', readId, 'the id of a device');
  const counts = query.read('counts', oneOf(['now', 'later'] as const), '`now` or `later`') ?? 'now';
  query.refuse();
  return { filters, sort, ...page, ...(offset !== undefined && { offset }), ...(around && { around }), counts };
}

/** Parses the query of `GET /api/map`: the filters of the list and a view, by default the whole world. */
export function readMapQuery(params: URLSearchParams): MapQuery {
  const query = createUrlQuery(params);
  const filters = readFilters(query);
  const bbox = query.read('bbox', readBbox, bboxExpected) ?? world;
  const zoom = query.read('zoom', wholeNumber({ most: 22 }), zoomExpected) ?? 0;
  if (!params.get('zoom')) query.fault('zoom', `is required: ${zoomExpected}`);
  query.refuse();
  return { filters, bbox, zoom };
}

/**
 * Parses the query of `GET /api/map/density`: the filters of the list, and the size of the picture of `bbox` in pixels.
 */
export function readPictureQuery(params: URLSearchParams): PictureQuery {
  const query = createUrlQuery(params);
  const filters = readFilters(query);
  const bbox = query.read('bbox', readArea, areaExpected);
  const [width, height] = (['width', 'height'] as const).map((name) => {
    const pixels = query.read(name, wholeNumber({ most: mostPixels }), pixelsExpected);
    if (!pixels) query.fault(name, `is required: ${pixelsExpected}`);
    return pixels ?? 1;
  });
  if (!params.get('bbox')) query.fault('bbox', `is required: ${areaExpected}`);
  query.refuse();
  return { filters, picture: { bbox: bbox!, width: width!, height: height! } };
}

/** Parses a query with only an audience; by default the user's own devices. */
export function readAudienceQuery(params: URLSearchParams): string {
  const query = createUrlQuery(params);
  const { audience } = readFilters(query);
  query.refuse();
  return audience;
}

/** The swarm of an audience of members. */
export function swarmOf(audience: string): string | undefined {
  return audience.startsWith('swarm:') ? audience.slice('swarm:'.length) : undefined;
}

/** The key of what users can share: the members of a swarm are the same for every user. */
export function audienceKey({ user, audience }: { user: string; audience: string }): string {
  return swarmOf(audience) === undefined ? `${audience}:${user}` : audience;
}

const bboxExpected = 'west,south,east,north in degrees, south not above north';
const areaExpected = 'west,south,east,north in degrees, south below north';
const mostOffset = 9_999_999;
/** Bulk actions read thousands of devices. */
const mostDevices = 1000;
const mostPixels = 2048;
const pixelsExpected = `a whole number from 1 to ${mostPixels}`;
const zoomExpected = 'a whole number from 0 to 22';

function readFilters(query: UrlQuery, swarmOfPath?: string): MapQuery['filters'] {
  const { read } = query;
  const audienceParameter = () => read('audience', readAudience, '`own`, `visible` or `swarm:<id>`') ?? 'own';
  const audience = swarmOfPath === undefined ? audienceParameter() : `swarm:${swarmOfPath}`;
  const q = query.text();
  const machine_type = read('machine_type', someOf(machineTypes), `some of ${machineTypes.join(',')}`);
  const resource_type = read('resource_type', someOf(memberRoles), `some of ${memberRoles.join(',')}`);
  const swarm = read('swarm', readId, 'the id of a swarm, or `none`');
  const placed = read('placed', oneOf(['yes', 'no'] as const), '`yes` or `no`');
  if (resource_type && swarmOf(audience) === undefined) {
    query.fault('resource_type', 'is a role in the swarm of the audience: takes audience=swarm:<id>');
  }
  return {
    audience,
    ...(q && { q }),
    ...(machine_type && { machine_type }),
    ...(resource_type && { resource_type }),
    ...(swarm && { swarm }),
    ...(placed && { placed }),
  };
}

function readAudience(text: string): string | undefined {
  if (text === 'own' || text === 'visible') return text;
  return readId(swarmOf(text) ?? '') && text;
}

function readBbox(text: string): Bbox | undefined {
  const parts = text.split(',');
  if (!parts.every((part) => /^-?\d+(\.\d*)?(e-?\d+)?$/i.test(part))) return undefined;
  const [west, south, east, north, ...more] = parts.map(Number);
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined;
  const onEarth = Math.max(Math.abs(west), Math.abs(east)) <= 180 && south >= -90 && south <= north && north <= 90;
  return onEarth && more.length === 0 ? [west, south, east, north] : undefined;
}

/** A box with a width and a height. */
function readArea(text: string): Bbox | undefined {
  const box = readBbox(text);
  return box && box[0] !== box[2] && box[1] < box[3] ? box : undefined;
}

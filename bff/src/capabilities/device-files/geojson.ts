/** Converts GeoJSON (RFC 7946), also with a feature in each line (RFC 8142), to CSV, so that it uses the same import. */
import { keepApostrophe, toLine } from '../../core/resources/device-export.ts';
import { columnOf, exportColumnOf } from './device-import.ts';

/** Properties with unknown names beyond this number are left out: each is a cell of each row. */
const mostUnknown = 90;
/** What is nested more deeply is a text of JSON. */
const mostDepth = 4;
const idOfOurs = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `not_json`: it is no JSON, or its end is missing. `other_coordinates`: it has another coordinate system than WGS 84. */
export type GeoJsonError = 'not_json' | 'not_geojson' | 'other_coordinates';

/** `crs`: the coordinate system. The current standard has only WGS 84, but other programs still write it. */
interface WithSystem {
  crs?: unknown;
}

interface Feature extends WithSystem {
  id?: unknown;
  geometry?: unknown;
  properties?: unknown;
}

/** By file name or content type. */
export function isGeoJson({ name, type = '' }: { name: string; type?: string }): boolean {
  return /\.((geo)?json(l|s|seq)?|ndjson)$/i.test(name) || /^application\/(geo\+)?json/.test(type);
}

/**
 * Converts GeoJSON to the lines of a CSV file with a header: the id, the properties, also nested ones, and the point of each feature. A feature
 * without a geometry has the coordinates of its properties. A geometry that is not a point is written into the coordinate
 * columns, where the dry run reports it.
 */
export function tableOfGeoJson(text: string): string[] | GeoJsonError {
  const read = featuresIn(text);
  if (read === 'not_json') return read;
  if (!read || read.features.length === 0) return 'not_geojson';
  const { features } = read;
  if ([read, ...features].some(isInOtherSystem)) return 'other_coordinates';
  const ids = features.map(({ id }) => textOf(id));
  // Ids of other programs are not device ids.
  const withId = ids.some(Boolean) && ids.every((id) => id === '' || idOfOurs.test(id));
  const properties = features.map((feature) => flat(recordOf(feature.properties)));
  const columns = columnsIn(properties).filter((name) => !withId || exportColumnOf(name) !== 'id');
  const header = [...(withId ? ['id'] : []), ...withName(columns), 'longitude', 'latitude'];
  const rows = features.map(({ geometry }, at) => {
    const values = properties[at]!;
    const cells = columns.map((name) => keepApostrophe(textOf(values.get(name))));
    return [...(withId ? [ids[at] ?? ''] : []), ...cells, ...positionOf(geometry, values)];
  });
  return [header, ...rows].map((fields) => toLine(fields, ','));
}

const isCoordinate = (name: string) => ['longitude', 'latitude'].includes(columnOf(name) ?? '');

/** The names of the properties, without those of coordinates. */
function columnsIn(properties: readonly ReadonlyMap<string, unknown>[]): string[] {
  const names = new Set(properties.flatMap((values) => [...values.keys()]));
  let unknown = 0;
  return [...names].filter(
    (name) => !isCoordinate(name) && ((columnOf(name) ?? exportColumnOf(name)) || (unknown += 1) <= mostUnknown),
  );
}

/** Where no property is the name, the only nested one that is called so, such as `location.name`. */
function withName(columns: readonly string[]): readonly string[] {
  const [name, ...others] = columns.filter((column) => columnOf(column.slice(column.lastIndexOf('.') + 1)) === 'name');
  const isNested = name?.includes('.') && others.length === 0;
  return isNested ? columns.map((column) => (column === name ? 'name' : column)) : columns;
}

/** Nested properties by their paths, such as `location.name`. A point stays as it is. */
function flat(
  properties: Record<string, unknown>,
  found = new Map<string, unknown>(),
  path: readonly string[] = [],
): Map<string, unknown> {
  for (const [name, value] of Object.entries(properties)) {
    const inner = recordOf(value);
    if (Object.keys(inner).length === 0 || path.length === mostDepth || pointIn(inner))
      found.set([...path, name].join('.'), value);
    else flat(inner, found, [...path, name]);
  }
  return found;
}

function featuresIn(text: string): (WithSystem & { features: Feature[] }) | 'not_json' | null {
  const value = readJson(text.replace(/^\uFEFF/, ''));
  if (value === undefined) return featuresInLines(text);
  const { type, features, crs } = recordOf(value);
  if (type === 'Feature') return { features: [value as Feature] };
  return type === 'FeatureCollection' && Array.isArray(features) ? { features: features.map(recordOf), crs } : null;
}

/** WGS 84 in degrees, by its names and codes, or ETRS89, which differs from it by less than a metre. */
const wgs84 = /CRS84|"WGS ?84"|(?<!\d)(?:4326|4979|4258)(?!\d)/i;

/** Whether a file or a feature names another coordinate system. */
function isInOtherSystem({ crs }: WithSystem): boolean {
  const system = JSON.stringify(crs ?? null);
  return /\d/.test(system) && !wgs84.test(system);
}

/** Undefined if it is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const recordSeparator = '\u001E';

/** Each line may begin with a record separator. `trim` removes a byte-order mark too. */
function featuresInLines(text: string): { features: Feature[] } | 'not_json' | null {
  const lines = text.split('\n').map((line) => line.replace(recordSeparator, '').trim());
  const values = lines.filter((line) => line !== '').map(readJson);
  if (values.includes(undefined)) return 'not_json';
  const features: Feature[] = values.map(recordOf);
  return values.every((value) => recordOf(value).type === 'Feature') ? { features } : null;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function positionOf(geometry: unknown, properties: ReadonlyMap<string, unknown>): [string, string] {
  if (geometry === null || geometry === undefined) {
    const cell = (column: 'longitude' | 'latitude') =>
      textOf([...properties].find(([name]) => columnOf(name) === column)?.[1]);
    return [cell('longitude'), cell('latitude')];
  }
  const point = pointIn(recordOf(geometry));
  if (!point) return [textOf(recordOf(geometry).type) || textOf(geometry), ''];
  const [longitude, latitude] = point;
  return [textOf(longitude), textOf(latitude)];
}

/** The coordinates of a point, also of the only one of several. */
function pointIn({ type, coordinates, geometries }: Record<string, unknown>): unknown[] | undefined {
  const list = Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
  if (type === 'Point' && Array.isArray(coordinates)) return list;
  if (type === 'MultiPoint' && list.length === 1 && Array.isArray(list[0])) return list[0] as unknown[];
  if (type !== 'GeometryCollection' || !Array.isArray(geometries) || geometries.length !== 1) return undefined;
  const only = recordOf(geometries[0]);
  return only.type === 'GeometryCollection' ? undefined : pointIn(only);
}

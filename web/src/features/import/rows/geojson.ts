/** Converts GeoJSON (RFC 7946) to CSV, so that it uses the same import. */
import { keepApostrophe, toLine } from '@swarmdeck/bff/device-export';

/** A CSV file has a limited number of columns (csv-parser.ts). Further properties are not imported. */
const mostProperties = 90;
const idOfOurs = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Feature {
  id?: unknown;
  geometry?: unknown;
  properties?: unknown;
}

/** By file name or content type. */
export function isGeoJson({ name, type = '' }: { name: string; type?: string }): boolean {
  return /\.(geo)?json$/i.test(name) || /^application\/(geo\+)?json/.test(type);
}

/**
 * Converts GeoJSON to the lines of a CSV file with a header: the id, the properties and the point of each feature. A
 * geometry that is not a point is written into the coordinate columns, where the dry run reports it. Returns null if
 * there are no features.
 */
export function tableOfGeoJson(text: string): string[] | null {
  const features = featuresIn(text);
  if (!features || features.length === 0) return null;
  const names = [...new Set(features.flatMap(({ properties }) => Object.keys(recordOf(properties))))];
  const taken = new Set(['longitude', 'latitude']);
  const columns = names.filter((name) => !taken.has(name)).slice(0, mostProperties);
  const ids = features.map(({ id }) => textOf(id));
  // Ids of other programs are not device ids.
  const ours = ids.some(Boolean) && ids.every((id) => id === '' || idOfOurs.test(id));
  const withId = ours && !columns.includes('id');
  const header = [...(withId ? ['id'] : []), ...columns, 'longitude', 'latitude'];
  const rows = features.map(({ geometry, properties }, at) => {
    const values = recordOf(properties);
    const cells = columns.map((name) => keepApostrophe(textOf(values[name])));
    return [...(withId ? [ids[at] ?? ''] : []), ...cells, ...positionOf(geometry)];
  });
  return [header, ...rows].map((fields) => toLine(fields, ','));
}

function featuresIn(text: string): Feature[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
  const { type, features } = recordOf(value);
  if (type === 'Feature') return [value as Feature];
  return type === 'FeatureCollection' && Array.isArray(features) ? features.map(recordOf) : null;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function positionOf(geometry: unknown): [string, string] {
  if (geometry === null || geometry === undefined) return ['', ''];
  const { type, coordinates } = recordOf(geometry);
  if (type !== 'Point' || !Array.isArray(coordinates)) return [textOf(type) || textOf(geometry), ''];
  const [longitude, latitude] = coordinates as unknown[];
  return [textOf(longitude), textOf(latitude)];
}

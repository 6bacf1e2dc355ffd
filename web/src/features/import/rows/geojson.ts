/** GeoJSON (RFC 7946) as the rows of a table, so that it goes the way of every other file; and devices as GeoJSON. */
import type { Resource } from '@swarmdeck/bff/contract';
import { valuesOf } from '../../../api/device-fields.ts';
import { toLine } from './csv-line.ts';

/** More of them no table has (csv.ts); what is beyond is not imported, as no column of that name would be. */
const mostProperties = 90;
const idOfOurs = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Feature {
  id?: unknown;
  geometry?: unknown;
  properties?: unknown;
}

/** By its name, or its content type: nobody else's text is taken for it. */
export function isGeoJson({ name, type }: { name: string; type: string }): boolean {
  return /\.(geo)?json$/i.test(name) || /^application\/(geo\+)?json/.test(type);
}

/**
 * One line a feature below a header, in the order of the file: its id, its point and what it has of properties. A
 * geometry that is no point stands in the place of the numbers, where the dry run says so. Null: no features.
 */
export function tableOfGeoJson(text: string): string[] | null {
  const features = featuresIn(text);
  if (!features || features.length === 0) return null;
  const names = [...new Set(features.flatMap(({ properties }) => Object.keys(recordOf(properties))))];
  const taken = new Set(['longitude', 'latitude']);
  const columns = names.filter((name) => !taken.has(name)).slice(0, mostProperties);
  const ids = features.map(({ id }) => textOf(id));
  // ids of other programs are no devices' of ours
  const ours = ids.some(Boolean) && ids.every((id) => id === '' || idOfOurs.test(id));
  const withId = ours && !columns.includes('id');
  const header = [...(withId ? ['id'] : []), ...columns, 'longitude', 'latitude'];
  const rows = features.map(({ geometry, properties }, at) => {
    const values = recordOf(properties);
    const cells = columns.map((name) => textOf(values[name]));
    return [...(withId ? [ids[at] ?? ''] : []), ...cells, ...positionOf(geometry)];
  });
  return [header, ...rows].map((fields) => toLine(fields, ','));
}

/** Each feature is one device, by its id: changed and imported again it changes that one. */
export function geoJsonOf(devices: readonly Resource[]): string {
  const features = devices.map((device) => {
    const { position, ...properties } = valuesOf(device);
    return {
      type: 'Feature',
      id: device.id,
      geometry: position ? { type: 'Point', coordinates: [position.longitude, position.latitude] } : null,
      properties,
    };
  });
  return `${JSON.stringify({ type: 'FeatureCollection', features }, null, 1)}\n`;
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

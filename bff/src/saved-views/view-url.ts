import type { DeviceFilters, DeviceSort } from '../contract.ts';
import { Problem } from '../http/problem.ts';
import type { FieldFault } from '../http/problem.ts';

/**
 * Parses the filters and the sort order of a list.
 * @throws `query.invalid`, with errors at `?name`
 */
export type ReadFilters = (params: URLSearchParams) => { filters: DeviceFilters; sort: DeviceSort };

const mapOfSwarm = /^\/swarms\/([\w-]{1,64})\/map$/;

/** The pages that can be saved, with their parameters. */
const places = [
  { path: /^\/$/, audience: () => 'own', names: ['q', 'machine_type', 'swarm', 'placed', 'sort', 'bbox'] },
  { path: /^\/map$/, audience: () => 'visible', names: ['machine_type'] },
  {
    path: mapOfSwarm,
    audience: (swarm?: string) => `swarm:${swarm}`,
    names: ['machine_type', 'resource_type'],
  },
];

/** Parsers of other parameters. Each returns the normalized value, or undefined if it is invalid. */
type Reader = (text: string) => string | undefined;
const word =
  (...known: string[]): Reader =>
  (text) =>
    known.includes(text) ? text : undefined;
const list: Record<string, [Reader, string]> = { in_view: [word('1'), '1'] };
const wall: Record<string, [Reader, string]> = {
  colour: [word('changed'), 'changed'],
  sel: [(text) => (/^[\w-]{1,64}$/.test(text) ? text : undefined), 'the id of a device'],
  follow: [word('1'), '1'],
};
const both: Record<string, [Reader, string]> = { map: [readPlace, 'zoom/latitude/longitude'] };

/** Returns the normalized URL. @throws `body.invalid` with all errors of the `url` of a body */
export function readViewUrl({ url, readFilters }: { url: string; readFilters: ReadFilters }): string {
  const [path = '', query = '', ...more] = url.split('?');
  const place = more.length === 0 && !url.includes('#') ? places.find((each) => each.path.test(path)) : undefined;
  if (!place)
    throw refused([fault('view.place_unknown', 'must be /, /map or /swarms/<id>/map, with their parameters')]);
  const [, ofPath] = place.path.exec(path) ?? [];
  const shown = { ...(path === '/' ? list : wall), ...both };
  const params = new URLSearchParams(query);
  const faults: FieldFault[] = [];
  const filterParams = new URLSearchParams({ audience: place.audience(ofPath) });
  const written = new URLSearchParams();

  for (const name of new Set(params.keys())) {
    if (place.names.includes(name)) for (const value of params.getAll(name)) filterParams.append(name, value);
    else if (!shown[name]) faults.push(fault('view.parameter_unknown', `${JSON.stringify(name)} is no parameter here`));
  }
  try {
    const { filters, sort } = readFilters(filterParams);
    const values: Record<string, string | readonly (string | number)[] | undefined> = {
      ...filters,
      sort: sort === 'name' ? undefined : sort,
    };
    for (const name of place.names) {
      const value = values[name];
      if (value !== undefined) written.set(name, [value].flat().join(','));
      // An empty layer parameter turns all layers off.
      else if (path !== '/' && params.get(name) === '') written.set(name, '');
    }
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error;
    faults.push(...error.errors.map(({ pointer, code, detail }) => fault(code, `${pointer.slice(1)} ${detail}`)));
  }
  for (const [name, [read, expected]] of Object.entries(shown)) {
    const [text, ...again] = params.getAll(name);
    if (!text) continue;
    const value = again.length === 0 ? read(text) : undefined;
    if (value === undefined) faults.push(fault('query.invalid', `${name} must be ${expected}, once`));
    else written.set(name, value);
  }
  if (faults.length > 0) throw refused(faults);
  return written.size > 0 ? `${path}?${written.toString()}` : path;
}

/** The ids of the swarms of a stored URL, without validating it again. */
export function swarmsOf(url: string): string[] {
  const [path = '', query = ''] = url.split('?');
  const [, ofPath] = mapOfSwarm.exec(path) ?? [];
  const filter = new URLSearchParams(query).get('swarm');
  return [ofPath, filter === 'none' ? null : filter].filter((id) => typeof id === 'string');
}

/** Parses `5.25/52.5/13.4`. Five decimals are about a metre. */
function readPlace(text: string): string | undefined {
  const parts = text.split('/');
  if (parts.length !== 3 || !parts.every((part) => /^-?\d{1,4}(\.\d{1,20})?$/.test(part))) return undefined;
  const [zoom = 0, latitude = 0, longitude = 0] = parts.map(Number);
  if (zoom < 0 || zoom > 22 || Math.abs(latitude) > 90) return undefined;
  return [zoom.toFixed(2), latitude.toFixed(5), longitude.toFixed(5)].map((part) => String(Number(part))).join('/');
}

const fault = (code: string, detail: string): FieldFault => ({ pointer: '/url', code, detail });
const refused = (errors: FieldFault[]) => new Problem('body.invalid', { errors });

import type { MachineType, MapFeature, MapView, MemberRole } from '../contract.ts';
import { machineTypes, memberRoles } from '../limits.ts';
import type { Bbox } from './filters.ts';
import { cellPixels, groupPlaces, tilePixels } from './grouping.ts';
import type { Grain, Group, Places } from './grouping.ts';
import { eastward, toLatitude, toLongitude, toX, toY } from './mercator.ts';

/** Devices by column, all in one order; a device without a position has null for both. */
export interface DeviceColumns {
  id: string[];
  name: string[];
  machine_type: MachineType[];
  /** Where they are members of a swarm. */
  resource_type?: MemberRole[];
  longitude: (number | null)[];
  latitude: (number | null)[];
  changed_at: string[];
}

export interface MapIndex {
  view(asked: { bbox: Bbox; zoom: number }): MapView;
}

/** Groupings kept: the zooms somebody goes back and forth between. */
const keptGrains = 4;

/** Everything that views of these devices need. Grouping is done once for each grain, whatever the view. */
export function createMapIndex({ columns, version }: { columns: DeviceColumns; version: string }): MapIndex {
  const total = columns.id.length;
  const devices = Int32Array.from(columns.id.keys()).filter((device) => columns.longitude[device] !== null);
  const places: Places = {
    x: Float64Array.from(devices, (device) => toX(columns.longitude[device]!)),
    y: Float64Array.from(devices, (device) => toY(columns.latitude[device]!)),
  };
  const bounds = boundsOf({ columns, devices });
  const grouped = new Map<string, Group[]>();

  function groupsAt(grain: Grain): Group[] {
    const key = `${grain.zoom}/${grain.radius}`;
    const groups = grouped.get(key) ?? groupPlaces({ places, grain });
    grouped.delete(key);
    grouped.set(key, groups);
    if (grouped.size > keptGrains) grouped.delete(grouped.keys().next().value!);
    return groups;
  }

  return {
    view({ bbox, zoom }) {
      const grain = grainOf({ bbox, zoom });
      const shown = groupsAt(grain).filter(insideOf({ bbox, zoom: grain.zoom }));
      const features = shown.map((group) => featureOf({ group, columns, devices, places }));
      return { type: 'FeatureCollection', features, total, unplaced: total - devices.length, version, bounds };
    },
  };
}

/** Symbols that a view may be asked to hold before it is grouped more coarsely, were it full from edge to edge. */
const mostSymbols = 1000;
const radii = [60, 85] as const;

/**
 * Symbols keep 60 px apart; a view of so many pixels that this would be too many gets the next coarser grain, in
 * steps of the square root of two. It depends on the size of the view alone, so it is the same wherever one pans.
 */
export function grainOf({ bbox: [west, south, east, north], zoom }: { bbox: Bbox; zoom: number }): Grain {
  const side = tilePixels * 2 ** zoom;
  const degrees = east >= west ? east - west : east - west + 360;
  const area = ((degrees / 360) * side * (toY(south) - toY(north)) * side) / radii[0] ** 2;
  const steps = Math.max(0, Math.ceil(Math.log2(area / mostSymbols)));
  return { zoom: Math.max(0, zoom - Math.floor(steps / 2)), radius: radii[steps % 2]! };
}

/** Snapped outward to the grid and by one cell more: a symbol half in view is in it. */
function insideOf({ bbox: [west, south, east, north], zoom }: { bbox: Bbox; zoom: number }) {
  const cell = cellPixels / (tilePixels * 2 ** zoom);
  const left = (Math.floor(toX(west) / cell) - 1) * cell;
  const right = (Math.ceil((toX(east) + (west > east ? 1 : 0)) / cell) + 1) * cell;
  const top = (Math.floor(toY(north) / cell) - 1) * cell;
  const bottom = (Math.ceil(toY(south) / cell) + 1) * cell;
  return ({ x, y }: Group) => {
    const east = x - left - Math.floor(x - left);
    return east <= right - left && y >= top && y <= bottom;
  };
}

interface Drawn {
  columns: DeviceColumns;
  /** Which device each point is. */
  devices: Int32Array;
}

function featureOf({ group, columns, devices, places }: Drawn & { group: Group; places: Places }): MapFeature {
  const first = devices[group.points[0]!]!;
  if (group.points.length > 1) return clusterOf({ group, columns, devices, places });
  const { id, name, machine_type, resource_type, longitude, latitude, changed_at } = columns;
  return {
    type: 'Feature',
    id: id[first]!,
    geometry: { type: 'Point', coordinates: [longitude[first]!, latitude[first]!] },
    properties: {
      cluster: false,
      id: id[first]!,
      name: name[first]!,
      machine_type: machine_type[first]!,
      ...(resource_type && { resource_type: resource_type[first]! }),
      changed_at: changed_at[first]!,
    },
  };
}

function clusterOf({ group, columns, devices, places }: Drawn & { group: Group; places: Places }): MapFeature {
  const by_type = noneOf(machineTypes);
  const by_role = noneOf(memberRoles);
  let newest = '';
  let west = group.points[0]!;
  let east = west;
  let south = Number.POSITIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (const point of group.points) {
    const device = devices[point]!;
    by_type[columns.machine_type[device]!] += 1;
    if (columns.resource_type) by_role[columns.resource_type[device]!] += 1;
    if (columns.changed_at[device]! > newest) newest = columns.changed_at[device]!;
    if (eastward(places.x[west]!, places.x[point]!) < 0) west = point;
    if (eastward(places.x[east]!, places.x[point]!) > 0) east = point;
    south = Math.min(south, columns.latitude[device]!);
    north = Math.max(north, columns.latitude[device]!);
  }
  const longitudeOf = (point: number) => columns.longitude[devices[point]!]!;
  return {
    type: 'Feature',
    id: group.key,
    geometry: { type: 'Point', coordinates: [rounded(toLongitude(group.x)), rounded(toLatitude(group.y))] },
    properties: {
      cluster: true,
      point_count: group.points.length,
      by_type,
      ...(columns.resource_type && { by_role }),
      newest,
      bbox: [longitudeOf(west), south, longitudeOf(east), north],
    },
  };
}

function noneOf<T extends string>(names: readonly T[]): Record<T, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<T, number>;
}

/** To a third of a pixel at the deepest zoom: a middle has no digits worth sending beyond. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** The smallest box round all of them: it leaves out the widest gap between two neighbours in longitude. */
function boundsOf({ columns, devices }: Drawn): Bbox | null {
  if (devices.length === 0) return null;
  const longitudes = Float64Array.from(devices, (device) => columns.longitude[device]!).sort();
  const latitudes = Float64Array.from(devices, (device) => columns.latitude[device]!).sort();
  let [west, east] = [longitudes[0]!, longitudes.at(-1)!];
  let widest = west + 360 - east;
  for (let index = 1; index < longitudes.length; index++) {
    const gap = longitudes[index]! - longitudes[index - 1]!;
    if (gap > widest) [widest, west, east] = [gap, longitudes[index]!, longitudes[index - 1]!];
  }
  return [west, latitudes[0]!, east, latitudes.at(-1)!];
}

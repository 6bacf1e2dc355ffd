/** The symbols of a map: a view of some devices as GeoJSON. The web app uses it too, for what it has stored. */
import type { MapFeature, MapView } from '../../contract.ts';
import { machineTypes, memberRoles, presenceStates } from '../../core/limits/field-rules.ts';
import { presenceOfKind, roleOfKind, typeOfKind, type DeviceTable } from '../index/device-table.ts';
import { placedOf } from '../index/slots.ts';
import { boundsOf, type Box } from './bounds.ts';
import type { Grid, GridOptions, NumberSum } from './cells.ts';
import { clusterResolutionOf, type ClusterResolution } from './cluster-resolution.ts';
import { side, toLatitude, toLongitude } from './mercator.ts';
import { createSelectedGrid } from './selected-cells.ts';
import { groupsIn, type Group } from './symbols.ts';

type Single = Extract<MapFeature['properties'], { cluster: false }>;
/** The properties of a single device besides its position. */
export type NamedDevice = Omit<Single, 'cluster'> & { ref: number };

/** The devices of a map. */
export interface MapDevices {
  total: number;
  unplaced: number;
  bounds: Box | null;
  /** The cells of those with a position. */
  gridOf: (options: GridOptions) => Grid;
}

interface ViewOptions {
  devices: MapDevices;
  /** Whether the audience is a swarm. */
  hasRoles: boolean;
  bbox: Box;
  zoom: number;
  version: string;
}

/** A map view without the names of its single devices. Later changes of the index are not included. */
interface UnnamedView {
  /** The refs of the single devices: few. */
  refs: number[];
  /** Single devices without a name are left out. */
  withNames(names: readonly NamedDevice[]): MapView;
}

/** The devices in some slots of a table. */
export function devicesOfSlots({
  table,
  slots,
  numberAt,
}: {
  table: DeviceTable;
  slots: Uint32Array;
  /** The numbers that clusters summarise. */
  numberAt?: ((slot: number) => number) | undefined;
}): MapDevices {
  const placed = placedOf(table, slots);
  return {
    total: slots.length,
    unplaced: slots.length - placed.length,
    bounds: boundsOf(table.columns, placed),
    gridOf: (grid) => createSelectedGrid({ table, slots: placed, numberAt, ...grid }),
  };
}

/** The map view of some devices. */
export function mapViewOf({ devices, hasRoles, bbox, zoom, version }: ViewOptions): UnnamedView {
  const { total, unplaced, bounds, gridOf } = devices;
  const resolution = clusterResolutionOf({ bbox, zoom });
  const groups = groupsIn({ gridOf, bbox, resolution });
  return {
    refs: groups.filter(({ count }) => count === 1).map(({ ref }) => ref),
    withNames(names) {
      const named = new Map(names.map((device) => [device.ref, device]));
      return {
        type: 'FeatureCollection',
        features: groups.flatMap((group) => {
          if (group.count > 1) return [clusterOf({ group, hasRoles, resolution })];
          const device = named.get(group.ref);
          return device ? [singleOf(group, device)] : [];
        }),
        total,
        unplaced,
        version,
        bounds,
      };
    },
  };
}

function singleOf({ west, south }: Group, { ref: _ref, ...device }: NamedDevice): MapFeature {
  return {
    type: 'Feature',
    id: device.id,
    geometry: { type: 'Point', coordinates: [west, south] },
    properties: { cluster: false, ...device },
  };
}

function clusterOf({
  group,
  hasRoles,
  resolution,
}: {
  group: Group;
  hasRoles: boolean;
  resolution: ClusterResolution;
}): MapFeature {
  const { key, count, byKind, newest, west, south, east, north, numbers } = group;
  const oneSpot = west === east && south === north;
  const middle = (): [number, number] => {
    const round = roundingAt(resolution.zoom);
    return [round(toLongitude(group.x / side)), round(toLatitude(group.y / side))];
  };
  return {
    type: 'Feature',
    id: key,
    geometry: { type: 'Point', coordinates: oneSpot ? [west, south] : middle() },
    properties: {
      cluster: true,
      point_count: count,
      by_type: countsBy(machineTypes, typeOfKind, byKind),
      ...(hasRoles && { by_role: countsBy(memberRoles, roleOfKind, byKind) }),
      by_presence: countsBy(presenceStates, presenceOfKind, byKind),
      newest: new Date(newest).toISOString(),
      ...(numbers && { value: valueOf(numbers) }),
      bbox: oneSpot ? [west, south, east, north] : around(west, south, east, north),
    },
  };
}

/** A sum of great numbers may be no number any more. */
function valueOf({ count, sum, min, max }: NumberSum) {
  const mean = Number.isFinite(sum) ? sum / count : min / 2 + max / 2;
  return { count, min, max, mean: Number(mean.toPrecision(7)) };
}

/** The box is rounded outwards to a centimetre, so that it contains everything and needs half the digits. */
function around(west: number, south: number, east: number, north: number): Box {
  const to = (round: (value: number) => number, degrees: number) => {
    const near = Number(degrees.toFixed(7));
    return near === degrees ? degrees : round(degrees * 1e7) / 1e7;
  };
  return [to(Math.floor, west), to(Math.floor, south), to(Math.ceil, east), to(Math.ceil, north)];
}

/** Rounds to less than a tenth of a pixel. */
function roundingAt(zoom: number): (degrees: number) => number {
  const steps = 10 ** Math.ceil(Math.log10((256 * 2 ** zoom * 10) / 360));
  return (degrees) => Math.round(degrees * steps) / steps;
}

/** The sums of the counts of all kinds with the same type or role. */
function countsBy<T extends string>(names: readonly T[], nameOf: (kind: number) => T, byKind: readonly number[]) {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<T, number>;
  for (const [kind, count] of byKind.entries()) counts[nameOf(kind)] += count;
  return counts;
}

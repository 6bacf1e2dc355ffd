import type { DeviceFilters, DevicePage, MemberRole } from '../contract.ts';
import type { DeviceKinds } from './device-kinds.ts';
import { world } from './filters.ts';
import { refsIn } from './points/count-in.ts';
import type { KindFilter, PointReader } from './points/point-index.ts';

/** What of a page's counts an index knows; the swarms' are read elsewhere. */
export interface DeviceCounts {
  /** Of all that match, where they are few among many: a page of them is then read by these. */
  refs?: number[];
  /** Of all that match whatever swarm is asked for, those that are in one, where they are few. */
  refsInSwarms?: number[];
  total: number;
  facets: Omit<DevicePage['facets'], 'swarms'> & { resource_type?: Record<MemberRole, number> };
}

const mostRefs = 2000;
/** Counting the swarms of so many takes some tens of milliseconds. */
const mostInSwarms = 10_000;
const pageSize = 100;
/** A table of so many is gone through in less than a millisecond. */
const mostLookedAt = 20_000;

/** How many of a user's devices of each type are in each swarm is kept (tallies): no other filter is asked for. */
export const isTallied = ({ audience, q, placed, bbox }: DeviceFilters): boolean =>
  audience === 'own' && q === undefined && placed === undefined && bbox === undefined;

/**
 * How many devices match, and what each chip would leave: every other filter applied, its own group not.
 * `all`: of the audience. `matching`: what `q` and `swarm` leave; `searched`: what `q` alone does.
 */
export function countDevices(asked: {
  all: PointReader;
  matching: PointReader;
  searched: PointReader;
  kinds: DeviceKinds;
  filters: DeviceFilters;
}): DeviceCounts {
  const { all, matching, searched, kinds, filters } = asked;
  const { machine_type: _type, ...anyType } = filters;
  const { resource_type: _role, ...anyRole } = filters;
  const counts = countsOf(matching, filters);
  const only = (meant: (kind: number) => boolean) => counts.map((count, kind) => (meant(kind) ? count : 0));
  const by_role = kinds.byRole(only(kinds.filter(anyRole)));
  const total = kinds.total(counts, kinds.filter(filters));
  const { swarm: _swarm, ...anySwarm } = filters;
  const inSwarms: KindFilter = (kind) => kinds.filter(anySwarm)(kind) && kinds.inSwarm(kind);
  const countInSwarms = kinds.total(countsOf(searched, anySwarm), inSwarms);
  // a page of those comes sooner by looking at all of them than at all others too
  const few = total <= mostRefs && total ** 2 < pageSize * all.size;
  const wanted = { index: matching, meant: kinds.filter(filters), ...filters };
  const isWork = matching.size > mostLookedAt && countWithout(wanted) > 0;
  const refs = few && !isWork && refsOf(wanted);
  // even among a million they are found in some ten milliseconds, and to read a million takes a second
  const isRead = filters.audience === 'own' && !isTallied(filters) && countInSwarms <= mostInSwarms;
  const refsInSwarms = isRead && refsOf({ index: searched, meant: inSwarms, ...anySwarm });
  return {
    ...(refs && { refs }),
    ...(refsInSwarms && { refsInSwarms }),
    total,
    facets: {
      all: all.size,
      machine_type: kinds.byType(only(kinds.filter(anyType))),
      ...(by_role && { resource_type: by_role }),
      no_swarm: kinds.total(countsOf(searched, filters), kinds.filter({ ...filters, swarm: 'none' })),
      unplaced: filters.bbox ? 0 : kinds.total(matching.unplaced(), kinds.filter(filters)),
    },
  };
}

/** Of each kind, whatever kinds are filtered by. */
function countsOf(index: PointReader, { placed, bbox }: Pick<DeviceFilters, 'placed' | 'bbox'>): number[] {
  const there = bbox ? index.countIn(bbox) : index.placed();
  const nowhere = index.unplaced();
  return there.map((count, kind) => {
    const without = bbox ? 0 : nowhere[kind]!;
    return (placed === 'no' ? 0 : count) + (placed === 'yes' ? 0 : without);
  });
}

type Wanted = Pick<DeviceFilters, 'placed' | 'bbox'> & { index: PointReader; meant: KindFilter };

/** How many of them have no position. */
function countWithout({ index, meant, placed, bbox }: Wanted): number {
  if (bbox || placed === 'yes') return 0;
  return index.unplaced().reduce((sum, count, kind) => (meant(kind) ? sum + count : sum), 0);
}

/** As much work as there are of them; as there are devices, where some of them have no position. */
function refsOf(wanted: Wanted): number[] {
  const { index, meant, placed, bbox = world } = wanted;
  const refs = placed === 'no' ? [] : index.layers.flatMap((layer, kind) => (meant(kind) ? refsIn(layer, bbox) : []));
  if (countWithout(wanted) > 0) {
    index.each((device) => {
      if (!device.placed && meant(device.kind)) refs.push(device.ref);
    });
  }
  return refs;
}

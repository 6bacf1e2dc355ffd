import type { DeviceFilters, DevicePage, MemberRole, WallView } from '../contract.ts';
import type { DeviceKinds } from './device-kinds.ts';
import { world } from './query-types.ts';
import { refsIn } from './points/points-in-box.ts';
import type { KindFilter, PointIndex, PointReader } from './points/point-index.ts';
import type { RecentChangeCount } from './recent-change-count.ts';

/** The counts of a page that the index has. The counts by swarm are read from the database. */
export interface DeviceCounts {
  /** The refs of all matches, if they are few among many: then the page is read by refs. */
  refs?: number[];
  /** The refs of the matches in swarms, ignoring the swarm filter, if they are few. */
  refsInSwarms?: number[];
  /** The refs of all that the search finds, as JSON, unless the two above are enough. The database does not search again. */
  searched?: string;
  total: number;
  facets: Omit<DevicePage['facets'], 'swarms'> & { resource_type?: Record<MemberRole, number> };
}

const mostRefs = 2000;
/** Counting the swarms of this many devices takes some tens of milliseconds. */
const mostInSwarms = 10_000;
const pageSize = 100;
/** Scanning this many devices takes less than a millisecond. */
const mostLookedAt = 20_000;

/** Whether the counts by swarm are in the tally table: only with the filter by machine type. */
export const isTallied = ({ audience, q, action, placed, bbox }: DeviceFilters): boolean =>
  audience === 'own' && q === undefined && action === undefined && placed === undefined && bbox === undefined;

/**
 * Counts the matches, and the matches of each chip, ignoring the filters of its own group. `all`: the audience.
 * `matching`: the matches of `q`, `action` and `swarm`; `searched`: without `swarm`.
 */
export function countDevices(options: {
  all: PointReader;
  matching: PointReader;
  searched: PointReader;
  kinds: DeviceKinds;
  filters: DeviceFilters;
}): DeviceCounts {
  const { all, matching, searched, kinds, filters } = options;
  const { machine_type: _type, ...anyType } = filters;
  const { resource_type: _role, ...anyRole } = filters;
  const counts = countsOf(matching, filters);
  const only = (includesKind: (kind: number) => boolean) =>
    counts.map((count, kind) => (includesKind(kind) ? count : 0));
  const by_role = kinds.byRole(only(kinds.filter(anyRole)));
  const total = kinds.total(counts, kinds.filter(filters));
  const { swarm: _swarm, ...anySwarm } = filters;
  const inSwarms: KindFilter = (kind) => kinds.filter(anySwarm)(kind) && kinds.inSwarm(kind);
  const countInSwarms = kinds.total(countsOf(searched, anySwarm), inSwarms);
  // Reading by refs is faster if the matches are rarer than one per page.
  const few = total <= mostRefs && total ** 2 < pageSize * all.size;
  const wanted = { index: matching, includesKind: kinds.filter(filters), ...filters };
  const isWork = matching.size > mostLookedAt && countWithout(wanted) > 0;
  const refs = few && !isWork && refsOf(wanted);
  // Even among a million they are found in about ten milliseconds, while reading a million takes a second.
  const isRead = filters.audience === 'own' && !isTallied(filters) && countInSwarms <= mostInSwarms;
  const refsInSwarms = isRead && refsOf({ index: searched, includesKind: inSwarms, ...anySwarm });
  return {
    ...(refs && { refs }),
    ...(refsInSwarms && { refsInSwarms }),
    ...((filters.q ?? filters.action) !== undefined &&
      !(refs && refsInSwarms) && { searched: JSON.stringify(allRefsOf(searched)) }),
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

/** The counts by kind, ignoring the filters by kind. */
function countsOf(index: PointReader, { placed, bbox }: Pick<DeviceFilters, 'placed' | 'bbox'>): number[] {
  const there = bbox ? index.countIn(bbox) : index.placed();
  const nowhere = index.unplaced();
  return there.map((count, kind) => {
    const without = bbox ? 0 : nowhere[kind]!;
    return (placed === 'no' ? 0 : count) + (placed === 'yes' ? 0 : without);
  });
}

function allRefsOf(index: PointReader): number[] {
  const refs: number[] = [];
  index.each(({ ref }) => refs.push(ref));
  return refs;
}

type Wanted = Pick<DeviceFilters, 'placed' | 'bbox'> & { index: PointReader; includesKind: KindFilter };

/** The number of matches without a position. */
function countWithout({ index, includesKind, placed, bbox }: Wanted): number {
  if (bbox || placed === 'yes') return 0;
  return index.unplaced().reduce((sum, count, kind) => (includesKind(kind) ? sum + count : sum), 0);
}

/** Takes time in proportion to the matches; to all devices if some matches have no position. */
function refsOf(wanted: Wanted): number[] {
  const { index, includesKind, placed, bbox = world } = wanted;
  const refs =
    placed === 'no' ? [] : index.layers.flatMap((layer, kind) => (includesKind(kind) ? refsIn(layer, bbox) : []));
  if (countWithout(wanted) > 0) {
    index.each((device) => {
      if (!device.placed && includesKind(device.kind)) refs.push(device.ref);
    });
  }
  return refs;
}

export type WallCounts = Omit<WallView, 'at' | 'building'>;

/** The counts of a wall for a whole audience: sums over its kinds, and the changes of the last minute. */
export function wallCountsOf(of: {
  index: PointIndex;
  kinds: DeviceKinds;
  recent: RecentChangeCount;
  since: number;
}): WallCounts {
  const { index, kinds, recent, since } = of;
  const placed = index.placed();
  const unplaced = index.unplaced();
  const every = placed.map((count, kind) => count + unplaced[kind]!);
  const by_role = kinds.byRole(every);
  return {
    total: index.size,
    unplaced: kinds.total(unplaced, () => true),
    machine_type: kinds.byType(every),
    ...(by_role && { resource_type: by_role }),
    changed: recent.countSince(since),
    newest: recent.newest === undefined ? null : new Date(recent.newest).toISOString(),
  };
}

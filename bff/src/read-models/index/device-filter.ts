/** Selects devices of a table, and counts them. Each filter of a query exists only here. */
import type { DeviceFilters, DevicePage, MemberRole, PresenceState, WallView } from '../../contract.ts';
import type { DeviceColumns, DeviceTable, Profile } from './device-table.ts';
import { presenceStates } from '../../core/limits/field-rules.ts';
import { swarmOf, type Bbox } from '../devices/device-query.ts';

/** The swarms that the caller may know of: their names by id, in the order of lists. */
export type KnownSwarms = ReadonlyMap<string, string>;

/** The slots that a search has found. */
interface Found {
  has(slot: number): boolean;
}

export interface Selection {
  has(slot: number): boolean;
  /** The slots of the matches, in no particular order. Valid until the table changes. */
  readonly slots: Uint32Array;
  /** Whether `slots` is known without another pass over the table. */
  readonly isListed: boolean;
  /** The number of matches of search and box alone, by profile. */
  readonly counts: Uint32Array;
}

interface FilterOptions {
  table: DeviceTable;
  filters: DeviceFilters;
  known: KnownSwarms;
  /** The result of the filters `q` and `action`; undefined without them. */
  found: Found | undefined;
  /** With the filter `value`: the number of a device, or NaN. */
  numberAt?: NumberAt | undefined;
}

export type NumberAt = (slot: number) => number;

/** The devices that match. A search or a box needs a pass over the slots. */
export function filterDevices({ table, filters, known, found, numberAt }: FilterOptions): Selection {
  const { bbox } = filters;
  const { profiles, columns } = table;
  const { profile } = columns;
  /** By profile. */
  const isMeant = Uint8Array.from(profiles, (each) => (each && passes(verdictOf(each, filters, known)) ? 1 : 0));
  if (!found && !bbox && !numberAt) {
    return {
      has: (slot) => isMeant[profile[slot]!] === 1,
      isListed: false,
      counts: countsOf(table),
      get slots() {
        return slotsOfProfiles(table, isMeant);
      },
    };
  }
  const isFound = foundTest({ columns, found, bbox, isInRange: numberAt && rangeTest(filters, numberAt) });
  const has = (slot: number) => isMeant[profile[slot]!] === 1 && isFound(slot);
  return { has, isListed: true, ...countFound({ table, isMeant, isFound }) };
}

function slotsOfProfiles({ columns: { ref, profile }, end }: DeviceTable, isMeant: Uint8Array): Uint32Array {
  const slots = new Uint32Array(end);
  let length = 0;
  for (let slot = 0; slot < end; slot++) if (isMeant[profile[slot]!] === 1 && ref[slot] !== 0) slots[length++] = slot;
  return slots.subarray(0, length);
}

function foundTest(
  options: Pick<FilterOptions, 'found'> & {
    columns: DeviceColumns;
    bbox: Bbox | undefined;
    isInRange: ((slot: number) => boolean) | undefined;
  },
) {
  const { found, bbox, columns, isInRange } = options;
  const { longitude, latitude } = columns;
  const isInBox = bbox && boxTest(bbox);
  return (slot: number): boolean =>
    (!found || found.has(slot)) &&
    (!isInBox || isInBox(longitude[slot]!, latitude[slot]!)) &&
    (!isInRange || isInRange(slot));
}

/** NaN, for no number, is in no range. */
function rangeTest({ value_from: from = -Infinity, value_to: to = Infinity }: DeviceFilters, numberAt: NumberAt) {
  return (slot: number): boolean => {
    const number = numberAt(slot);
    return number >= from && number <= to;
  };
}

function countFound(options: {
  table: DeviceTable;
  isMeant: Uint8Array;
  isFound: (slot: number) => boolean;
}): Pick<Selection, 'slots' | 'counts'> {
  const { table, isMeant, isFound } = options;
  const { columns, profiles, end } = table;
  const { ref, profile } = columns;
  const counts = new Uint32Array(profiles.length);
  const slots = new Uint32Array(end);
  let length = 0;
  for (let slot = 0; slot < end; slot++) {
    if (ref[slot] === 0 || !isFound(slot)) continue;
    const number = profile[slot]!;
    counts[number]! += 1;
    if (isMeant[number] === 1) slots[length++] = slot;
  }
  return { slots: slots.subarray(0, length), counts };
}

/** The numbers of all devices, by profile. */
const countsOf = ({ profiles }: DeviceTable) => Uint32Array.from(profiles, (profile) => profile?.count ?? 0);

/** Counts by presence that are 0. */
export const nonePresent = () =>
  Object.fromEntries(presenceStates.map((state) => [state, 0])) as Record<PresenceState, number>;

export interface Facets {
  total: number;
  facets: DevicePage['facets'] & { resource_type?: Record<MemberRole, number> };
}

/** The counts of the matches, and of each chip, ignoring the filters of its own group. */
export function facetsOf(
  { table, filters, known }: Omit<FilterOptions, 'found' | 'numberAt'>,
  counts: Uint32Array,
): Facets {
  const byType = { pc: 0, bug: 0, smartphone: 0 };
  const byRole = { producer: 0, consumer: 0, both: 0 };
  const byPresence = nonePresent();
  const bySwarm = new Map<string, number>();
  const sums = { total: 0, no_swarm: 0, unplaced: 0, refused: 0 };
  for (const [number, profile] of table.profiles.entries()) {
    if (!profile) continue;
    const { type, role, presence, swarm, placed, refused, isLeftOut } = verdictOf(profile, filters, known);
    const count = isLeftOut ? 0 : (counts[number] ?? 0);
    if (profile.isRefused && type && role && presence && swarm && placed) sums.refused += count;
    if (!refused) continue;
    const inSwarms = profile.swarms.filter((id) => known.has(id));
    const others = presence && swarm && placed;
    if (type && role && others) sums.total += count;
    if (role && others) byType[profile.machine_type] += count;
    if (type && others && profile.resource_type) byRole[profile.resource_type] += count;
    if (type && role && swarm && placed) byPresence[profile.presence] += count;
    if (type && role && presence && swarm && !profile.isPlaced) sums.unplaced += count;
    const other = type && role && presence && placed ? count : 0;
    if (inSwarms.length === 0) sums.no_swarm += other;
    for (const id of inSwarms) bySwarm.set(id, (bySwarm.get(id) ?? 0) + other);
  }
  const { total, no_swarm, unplaced } = sums;
  const swarms = [...known].flatMap(([id, name]) => (bySwarm.has(id) ? [{ id, name, count: bySwarm.get(id)! }] : []));
  return {
    total,
    facets: {
      all: table.size,
      machine_type: byType,
      presence: byPresence,
      no_swarm,
      unplaced,
      ...(sums.refused > 0 && { refused: sums.refused }),
      swarms,
      ...(swarmOf(filters.audience) !== undefined && { resource_type: byRole }),
    },
  };
}

export type WallCounts = Omit<WallView, 'at' | 'building'>;

/**
 * The counts of a wall for a whole audience. `now` and `since` in ms. A change in the future (the clock was set back) counts as a
 * change now.
 */
export function wallCountsOf(options: {
  table: DeviceTable;
  filters: DeviceFilters;
  now: number;
  since: number;
}): WallCounts {
  const { table, filters, now, since } = options;
  const { ref, changedAt } = table.columns;
  const { total, facets } = facetsOf({ table, filters, known: new Map() }, countsOf(table));
  let changed = 0;
  let newest = -Infinity;
  for (let slot = 0; slot < table.end; slot++) {
    if (ref[slot] === 0) continue;
    const at = changedAt[slot]!;
    if (at > since) changed += 1;
    if (at > newest) newest = at;
  }
  const { machine_type, resource_type, presence, unplaced } = facets;
  return {
    total,
    unplaced,
    machine_type,
    ...(resource_type && { resource_type }),
    presence,
    changed,
    newest: total === 0 ? null : new Date(Math.min(newest, now)).toISOString(),
  };
}

interface Verdict {
  type: boolean;
  role: boolean;
  presence: boolean;
  swarm: boolean;
  placed: boolean;
  refused: boolean;
  isLeftOut: boolean;
}

function verdictOf(profile: Profile, filters: FilterOptions['filters'], known: KnownSwarms): Verdict {
  const { machine_type, resource_type, presence, swarm, not_in, placed, refused } = filters;
  const isIn = (id: string) => known.has(id) && profile.swarms.includes(id);
  return {
    type: !machine_type || machine_type.includes(profile.machine_type),
    role: !resource_type || (profile.resource_type !== null && resource_type.includes(profile.resource_type)),
    presence: !presence || presence.includes(profile.presence),
    swarm: swarm === undefined || (swarm === 'none' ? !profile.swarms.some((id) => known.has(id)) : isIn(swarm)),
    placed: placed === undefined || profile.isPlaced === (placed === 'yes'),
    refused: refused === undefined || profile.isRefused,
    isLeftOut: not_in !== undefined && isIn(not_in),
  };
}

const passes = ({ type, role, presence, swarm, placed, refused, isLeftOut }: Verdict) =>
  type && role && presence && swarm && placed && refused && !isLeftOut;

/** Edges included; west > east crosses the antimeridian. NaN, for no position, is in no box. */
function boxTest([west, south, east, north]: Bbox): (longitude: number, latitude: number) => boolean {
  const isAcross = west > east;
  return (longitude, latitude) =>
    (isAcross ? longitude >= west || longitude <= east : longitude >= west && longitude <= east) &&
    latitude >= south &&
    latitude <= north;
}

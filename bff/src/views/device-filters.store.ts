import type { DeviceFilters } from '../contract.ts';
import { mayBeginId, searchWords } from '../store/search-text.ts';
import { allOf, always } from './sql-conditions.store.ts';
import type { Condition } from './sql-conditions.store.ts';
import { swarmOf } from './filters.ts';
import type { Bbox } from './filters.ts';

/** Each filter is a group of its own: a chip's count leaves its own group out. */
export const filterGroups = ['q', 'machine_type', 'resource_type', 'swarm', 'placed', 'bbox'] as const;
type FilterGroup = (typeof filterGroups)[number];

export interface Matches {
  /** What follows FROM: `resources r`, and `memberships here` beside it where the audience is a swarm. */
  devices: string;
  /** The swarm whose members the audience is. */
  swarm: string | undefined;
  /** Devices that the caller may see here. */
  audience: Condition;
  /** The same, asked of a row that is there already: it costs as much as its device is in swarms. */
  audienceOfRow: Condition;
  groups: Record<FilterGroup, Condition>;
  /** On a row `m` of `memberships`: the caller may know of it. */
  knownMembership: Condition;
}

/** Swarms whose members the caller may see: owned, and those that hold a device of the caller. */
const openSwarms = 'SELECT swarm_id FROM swarm_viewers WHERE user_id = ?';

/** The filters of map and list as SQL, for a caller. */
export function matchesOf(asked: { user: string; filters: DeviceFilters }): Matches {
  const { user, filters } = asked;
  const { audience } = filters;
  const knownMembership = known(user);
  const swarm = swarmOf(audience);
  return {
    devices: swarm === undefined ? 'resources r' : 'memberships here JOIN resources r ON r.id = here.resource_id',
    swarm,
    audience: audienceOf({ user, audience }),
    audienceOfRow: audienceOfRow({ user, audience }),
    groups: {
      q: allOf(searchWords(filters.q ?? '').map((word) => containing({ word, audience }))),
      machine_type: filters.machine_type ? among('r.machine_type', filters.machine_type) : always,
      resource_type: filters.resource_type ? among('here.resource_type', filters.resource_type) : always,
      swarm: filters.swarm === undefined ? always : inSwarm({ swarm: filters.swarm, knownMembership }),
      placed: filters.placed
        ? { sql: `r.longitude IS ${filters.placed === 'yes' ? 'NOT ' : ''}NULL`, params: [] }
        : always,
      bbox: filters.bbox ? within(filters.bbox) : always,
    },
    knownMembership,
  };
}

/** All of it at once. */
export function everyOf({ audience, groups }: Pick<Matches, 'audience' | 'groups'>): Condition {
  return allOf([audience, ...filterGroups.map((group) => groups[group])]);
}

function audienceOf({ user, audience }: { user: string; audience: string }): Condition {
  if (audience === 'own') return { sql: 'r.user_id = ?', params: [user] };
  const swarm = swarmOf(audience);
  if (swarm !== undefined) return { sql: 'here.swarm_id = ?', params: [swarm] };
  return {
    sql: `r.id IN (SELECT id FROM resources WHERE user_id = ?
      UNION SELECT resource_id FROM memberships WHERE swarm_id IN (${openSwarms}))`,
    params: [user, user],
  };
}

function audienceOfRow(asked: { user: string; audience: string }): Condition {
  const { user, audience } = asked;
  if (audience !== 'visible') return audienceOf(asked);
  const seen = `EXISTS (SELECT 1 FROM memberships m JOIN swarm_viewers v ON v.swarm_id = m.swarm_id
    WHERE m.resource_id = r.id AND v.user_id = ?)`;
  return { sql: `r.user_id = ? OR ${seen}`, params: [user, user] };
}

/**
 * A swarm that is being deleted is not known to anybody. The plus keeps the database from trying every such swarm for
 * each device: a device is in few.
 */
function known(user: string): Condition {
  return { sql: `+m.swarm_id IN (${openSwarms})`, params: [user] };
}

/** The word is in the name or the description, or begins the id; it may also be in the owner's name if that differs. */
function containing({ word, audience }: { word: string; audience: string }): Condition {
  const ways = ['instr(r.name_folded, ?) > 0', 'instr(r.description_folded, ?) > 0'];
  if (audience !== 'own') ways.push('instr(r.user_id, ?) > 0');
  if (mayBeginId(word)) ways.push("instr(replace(r.id, '-', ''), ?) = 1");
  return { sql: ways.join(' OR '), params: ways.map(() => word) };
}

function among(column: string, wanted: string[]): Condition {
  return { sql: `${column} IN (${wanted.map(() => '?').join(', ')})`, params: wanted };
}

function inSwarm({ swarm, knownMembership }: { swarm: string; knownMembership: Condition }): Condition {
  const { sql, params } = knownMembership;
  const memberships = `SELECT 1 FROM memberships m WHERE m.resource_id = r.id AND ${sql}`;
  if (swarm === 'none') return { sql: `NOT EXISTS (${memberships})`, params };
  return { sql: `EXISTS (${memberships} AND m.swarm_id = ?)`, params: [...params, swarm] };
}

function within([west, south, east, north]: Bbox): Condition {
  const across = west > east ? 'OR' : 'AND';
  return {
    sql: `r.latitude BETWEEN ? AND ? AND (r.longitude >= ? ${across} r.longitude <= ?)`,
    params: [south, north, west, east],
  };
}

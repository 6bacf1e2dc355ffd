import type { DeviceFilters } from '../contract.ts';
import { Problem } from '../problem.ts';
import type { Database } from '../storage/database.ts';
import type { Value } from '../storage/statement.ts';
import type { Bbox } from './filters.ts';

/** A condition on a row `r` of `resources`, and what its question marks stand for. */
export interface Condition {
  sql: string;
  params: Value[];
}

/** Each filter is a group of its own: a chip's count leaves its own group out. */
export type FilterGroup = 'q' | 'machine_type' | 'swarm' | 'placed' | 'bbox';
export const filterGroups: readonly FilterGroup[] = ['q', 'machine_type', 'swarm', 'placed', 'bbox'];

export interface Matches {
  /** Devices that the caller may see here. */
  audience: Condition;
  groups: Record<FilterGroup, Condition>;
  /** On a row `m` of `memberships`: the caller may know of it. */
  knownMembership: Condition;
}

const always: Condition = { sql: 'true', params: [] };
/** An id is a UUIDv7: fewer characters are only a time, the same for all devices of an hour. */
const idPrefixFrom = 8;

/** Swarms whose members the caller may see: owned, and those that hold a device of the caller (service.md). */
const openSwarms = `SELECT id FROM swarms WHERE user_id = ?
  UNION SELECT om.swarm_id FROM resources o JOIN memberships om ON om.resource_id = o.id WHERE o.user_id = ?`;

/**
 * The filters of map and list as SQL, for a caller. `fold` is what folded the texts that are searched.
 */
export function matchesOf(asked: { user: string; filters: DeviceFilters; fold: (text: string) => string }): Matches {
  const { user, filters, fold } = asked;
  const knownMembership = known({ user, audience: filters.audience });
  return {
    audience: audienceOf({ user, audience: filters.audience }),
    groups: {
      q: filters.q === undefined ? always : searched(fold(filters.q)),
      machine_type: filters.machine_type ? ofTypes(filters.machine_type) : always,
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
export function everyOf({ audience, groups }: Matches): Condition {
  const all = [audience, ...filterGroups.map((group) => groups[group])];
  return { sql: all.map(({ sql }) => `(${sql})`).join(' AND '), params: all.flatMap(({ params }) => params) };
}

/** Throws `swarm.not_found` (404) for the audience of a swarm that is not there or whose members the caller may not see. */
export async function requireAudience({ db, user, audience }: { db: Database; user: string; audience: string }) {
  const swarm = swarmOf(audience);
  if (swarm === undefined) return;
  const found = await db.query(`SELECT 1 WHERE ? IN (${openSwarms})`, [swarm, user, user]);
  if (found.length === 0) throw new Problem('swarm.not_found');
}

function swarmOf(audience: string): string | undefined {
  return audience.startsWith('swarm:') ? audience.slice('swarm:'.length) : undefined;
}

function audienceOf({ user, audience }: { user: string; audience: string }): Condition {
  if (audience === 'own') return { sql: 'r.user_id = ?', params: [user] };
  const swarm = swarmOf(audience);
  if (swarm !== undefined) {
    return { sql: 'r.id IN (SELECT resource_id FROM memberships WHERE swarm_id = ?)', params: [swarm] };
  }
  return {
    sql: `r.id IN (SELECT id FROM resources WHERE user_id = ?
      UNION SELECT resource_id FROM memberships WHERE swarm_id IN (${openSwarms}))`,
    params: [user, user, user],
  };
}

/** Every swarm of an own device is open to its owner. */
function known({ user, audience }: { user: string; audience: string }): Condition {
  return audience === 'own' ? always : { sql: `m.swarm_id IN (${openSwarms})`, params: [user, user] };
}

function searched(text: string): Condition {
  const byText = 'instr(r.search_text, ?) > 0';
  if (text.length < idPrefixFrom) return { sql: byText, params: [text] };
  return { sql: `${byText} OR instr(r.id, ?) = 1`, params: [text, text] };
}

function ofTypes(types: string[]): Condition {
  return { sql: `r.machine_type IN (${types.map(() => '?').join(', ')})`, params: types };
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

import type { DeviceFilters } from '../contract.ts';
import { mayBeginId, searchWords } from '../store/search-text.ts';
import { allOf, always, join, listOf, raw, sql } from '../store/statement.ts';
import type { Sql } from '../store/statement.ts';
import { swarmOf } from './query-types.ts';
import type { Bbox } from './query-types.ts';

/** Each filter is a group of its own: a chip's count ignores its own group. */
export const filterGroups = ['q', 'action', 'machine_type', 'resource_type', 'swarm', 'placed', 'bbox'] as const;
type FilterGroup = (typeof filterGroups)[number];

export interface Matches {
  /** The tables after FROM: `resources r`, and `memberships here` if the audience is a swarm. */
  devices: string;
  /** The swarm of an audience of members. */
  swarm: string | undefined;
  /** Devices that the caller may see here. */
  audience: Sql;
  /** The same condition for one row. Its cost grows with the number of swarms of the device. */
  audienceOfRow: Sql;
  groups: Record<FilterGroup, Sql>;
  /** The caller may know of the row `m` of `memberships`. */
  knownMembership: Sql;
}

/** The swarms whose members the caller may see: own ones, and those with a device of the caller. */
const openSwarms = (user: string) => sql`SELECT swarm_id FROM swarm_viewers WHERE user_id = ${user}`;

/** The filters of map and list as SQL, for a caller. */
export function matchesOf(options: { user: string; filters: DeviceFilters }): Matches {
  const { user, filters } = options;
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
      action: filters.action === undefined ? always : inAction({ user, action: filters.action }),
      machine_type: filters.machine_type ? among('r.machine_type', filters.machine_type) : always,
      resource_type: filters.resource_type ? among('here.resource_type', filters.resource_type) : always,
      swarm: filters.swarm === undefined ? always : inSwarm({ swarm: filters.swarm, knownMembership }),
      placed: filters.placed ? raw(`r.longitude IS ${filters.placed === 'yes' ? 'NOT ' : ''}NULL`) : always,
      bbox: filters.bbox ? within(filters.bbox) : always,
    },
    knownMembership,
  };
}

/** The audience and all filters. */
export function everyOf({ audience, groups }: Pick<Matches, 'audience' | 'groups'>): Sql {
  return allOf([audience, ...filterGroups.map((group) => groups[group])]);
}

function audienceOf({ user, audience }: { user: string; audience: string }): Sql {
  if (audience === 'own') return sql`r.user_id = ${user}`;
  const swarm = swarmOf(audience);
  if (swarm !== undefined) return sql`here.swarm_id = ${swarm}`;
  return sql`r.id IN (SELECT id FROM resources WHERE user_id = ${user}
    UNION SELECT resource_id FROM memberships WHERE swarm_id IN (${openSwarms(user)}))`;
}

function audienceOfRow(options: { user: string; audience: string }): Sql {
  const { user, audience } = options;
  if (audience !== 'visible') return audienceOf(options);
  return sql`r.user_id = ${user} OR EXISTS (SELECT 1 FROM memberships m JOIN swarm_viewers v ON v.swarm_id = m.swarm_id
    WHERE m.resource_id = r.id AND v.user_id = ${user})`;
}

/** A swarm that is being deleted has no viewers. Checked for each membership, because a device is in few swarms. */
function known(user: string): Sql {
  return sql`EXISTS (SELECT 1 FROM swarm_viewers known WHERE known.swarm_id = m.swarm_id AND known.user_id = ${user})`;
}

/** The word is in the name or the description, or begins the id; it may also be in the owner's name if that differs. */
function containing({ word, audience }: { word: string; audience: string }): Sql {
  const ways = [sql`strpos(r.name_folded, ${word}) > 0`, sql`strpos(r.description_folded, ${word}) > 0`];
  if (audience !== 'own') ways.push(sql`strpos(r.user_id, ${word}) > 0`);
  if (mayBeginId(word)) ways.push(sql`strpos(replace(r.id, '-', ''), ${word}) = 1`);
  return join(ways, ' OR ');
}

function among(column: string, wanted: string[]): Sql {
  return sql`${raw(column)} IN (${listOf(wanted)})`;
}

function inSwarm({ swarm, knownMembership }: { swarm: string; knownMembership: Sql }): Sql {
  const memberships = sql`SELECT 1 FROM memberships m WHERE m.resource_id = r.id AND ${knownMembership}`;
  if (swarm === 'none') return sql`NOT EXISTS (${memberships})`;
  return sql`EXISTS (${memberships} AND m.swarm_id = ${swarm})`;
}

/** The same for every row, so that it is evaluated once. An id is found without parsing: quotes in names are escaped. */
function inAction({ user, action }: { user: string; action: string }): Sql {
  return sql`r.id IN (SELECT substr(item.value, strpos(item.value, '"id":"') + 6, 36)
    FROM action_parts p, elements(p.items) item
    WHERE p.action_id = (SELECT id FROM actions WHERE id = ${action} AND user_id = ${user}))`;
}

function within([west, south, east, north]: Bbox): Sql {
  const across = raw(west > east ? 'OR' : 'AND');
  return sql`r.latitude BETWEEN ${south} AND ${north} AND (r.longitude >= ${west} ${across} r.longitude <= ${east})`;
}

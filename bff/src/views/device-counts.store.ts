import type { DeviceFilters, DevicePage } from '../contract.ts';
import { always, join, listOf, raw, sql } from '../store/statement.ts';
import type { Sql } from '../store/statement.ts';
import type { Reads } from './caller.ts';
import { isTallied } from './device-counts.ts';
import { filterGroups } from './device-filters.store.ts';
import type { Matches } from './device-filters.store.ts';

type SwarmCounts = DevicePage['facets']['swarms'];

/**
 * The count of each swarm that has a device of the audience, also if no device matches. `refs`: the matches in swarms,
 * ignoring the swarm filter, if they are few and not tallied (isTallied).
 */
export async function countBySwarm(options: {
  db: Reads;
  user: string;
  filters: DeviceFilters;
  matches: Matches;
  refs: number[] | undefined;
}): Promise<SwarmCounts> {
  const { db, user, filters, matches, refs } = options;
  if (isTallied(filters)) return countKept({ db, user, machine_type: filters.machine_type });
  return refs ? countAmong({ db, user, refs }) : countMembers({ db, matches });
}

async function countKept(options: { db: Reads; user: string; machine_type: DeviceFilters['machine_type'] }) {
  const { db, user, machine_type = [] } = options;
  const meant = machine_type.length === 0 ? always : sql`t.machine_type IN (${listOf(machine_type)})`;
  const select = sql`SELECT s.id, s.name, coalesce(sum(t.resources) FILTER (WHERE ${meant}), 0) AS count
    FROM swarm_viewers v JOIN member_tallies t ON t.swarm_id = v.swarm_id AND t.user_id = v.user_id
      JOIN swarms s ON s.id = v.swarm_id
    WHERE v.user_id = ${user} GROUP BY s.id ORDER BY lower(s.name), s.id`;
  return db.read<SwarmCounts[number]>(select);
}

async function countAmong({ db, user, refs }: { db: Reads; user: string; refs: number[] }) {
  const select = sql`WITH n AS MATERIALIZED (SELECT m.swarm_id, count(*) AS count
      FROM elements(${JSON.stringify(refs)}) wanted
      JOIN /*in this order*/ resources r ON r.ref = CAST(wanted.value AS bigint) JOIN /*in this order*/ memberships m ON m.resource_id = r.id GROUP BY 1)
    SELECT s.id, s.name, coalesce(n.count, 0) AS count FROM swarm_viewers v JOIN swarms s ON s.id = v.swarm_id
      LEFT JOIN n ON n.swarm_id = s.id
    WHERE v.user_id = ${user} AND v.resources > 0 ORDER BY lower(s.name), s.id`;
  return db.read<SwarmCounts[number]>(select);
}

/** As much work as there are devices, or members of the swarms that the caller may know of. */
async function countMembers({ db, matches }: { db: Reads; matches: Matches }) {
  const select = sql`SELECT s.id, s.name, count(*) FILTER (WHERE ${butForSwarm}) AS count
    FROM (${judged(matches)}) d JOIN memberships m ON m.resource_id = d.id AND ${matches.knownMembership}
      JOIN swarms s ON s.id = m.swarm_id
    GROUP BY s.id ORDER BY lower(s.name), s.id`;
  return db.read<SwarmCounts[number]>(select);
}

const otherGroups = filterGroups.filter((group) => group !== 'swarm');
const butForSwarm = raw(otherGroups.map((group) => `by_${group}`).join(' AND '));

/** Every device of the audience, with the verdict of each filter group but the swarm's as a column. */
function judged({ devices, audience, groups }: Matches): Sql {
  const verdicts = otherGroups.map((group) => sql`(${groups[group]}) AS ${raw(`by_${group}`)}`);
  return sql`SELECT ${join([raw('r.id'), ...verdicts], ', ')} FROM ${raw(devices)} WHERE ${audience}`;
}

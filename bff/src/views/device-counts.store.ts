import type { DevicePage, MemberRole } from '../contract.ts';
import { machineTypes, memberRoles } from '../limits.ts';
import type { Database } from '../storage/database.ts';
import type { Value } from '../storage/statement.ts';
import { filterGroups } from './matches.store.ts';
import type { FilterGroup, Matches } from './matches.store.ts';

type Facets = DevicePage['facets'];

/** How many devices match, and what each chip would leave. `resource_type`: only of a swarm's members. */
export async function countDevices({ db, matches }: { db: Database; matches: Matches }) {
  const [counts, swarms] = await Promise.all([readCounts({ db, matches }), readSwarmCounts({ db, matches })]);
  const pick = <T extends string>(names: readonly T[]) =>
    Object.fromEntries(names.map((name) => [name, counts[name] ?? 0])) as Record<T, number>;
  const { all, total, no_swarm, unplaced } = pick(['all', 'total', 'no_swarm', 'unplaced']);
  const facets: Facets & { resource_type?: Record<MemberRole, number> } = {
    all,
    machine_type: pick(machineTypes),
    ...(matches.swarm !== undefined && { resource_type: pick(memberRoles) }),
    no_swarm,
    unplaced,
    swarms,
  };
  return { total, facets };
}

async function readCounts({ db, matches }: { db: Database; matches: Matches }) {
  const { sql, params } = judged(matches);
  const known = matches.knownMembership;
  // a member is in a swarm
  const alone =
    matches.swarm === undefined
      ? {
          sql: `NOT EXISTS (SELECT 1 FROM memberships m WHERE m.resource_id = d.id AND ${known.sql})`,
          params: known.params,
        }
      : { sql: 'false', params: [] };
  const each = (group: FilterGroup, values: readonly string[]) =>
    values.map((value) => `count(*) FILTER (WHERE ${butFor(group)} AND ${group} = '${value}') AS "${value}"`);
  const columns = [
    'count(*) AS "all"',
    `count(*) FILTER (WHERE ${butFor()}) AS total`,
    ...each('machine_type', machineTypes),
    ...(matches.swarm === undefined ? [] : each('resource_type', memberRoles)),
    `count(*) FILTER (WHERE ${butFor('placed')} AND unplaced) AS unplaced`,
    `count(*) FILTER (WHERE ${butFor('swarm')} AND ${alone.sql}) AS no_swarm`,
  ];
  // the parameters of `alone` stand before those of the inner query
  const select = `SELECT ${columns.join(', ')} FROM (${sql}) d`;
  const [counts] = await db.query<Record<string, number>>(select, [...alone.params, ...params]);
  return counts!;
}

/** A chip for each swarm that a device of the audience is in, also where the filters leave it none. */
async function readSwarmCounts({ db, matches }: { db: Database; matches: Matches }) {
  const { sql, params } = judged(matches);
  const select = `SELECT s.id, s.name, count(*) FILTER (WHERE ${butFor('swarm')}) AS count
    FROM (${sql}) d JOIN memberships m ON m.resource_id = d.id AND ${matches.knownMembership.sql}
      JOIN swarms s ON s.id = m.swarm_id
    GROUP BY s.id ORDER BY lower(s.name), s.id`;
  return db.query<Facets['swarms'][number]>(select, [...params, ...matches.knownMembership.params]);
}

/** Every device of the audience, with the verdict of each filter group as a column. */
function judged({ devices, swarm, audience, groups }: Matches): { sql: string; params: Value[] } {
  const verdicts = filterGroups.map((group) => `(${groups[group].sql}) AS by_${group}`);
  const role = swarm === undefined ? [] : ['here.resource_type'];
  const columns = ['r.id', 'r.machine_type', ...role, 'r.longitude IS NULL AS unplaced', ...verdicts];
  return {
    sql: `SELECT ${columns.join(', ')} FROM ${devices} WHERE ${audience.sql}`,
    params: [...filterGroups.flatMap((group) => groups[group].params), ...audience.params],
  };
}

function butFor(own?: FilterGroup): string {
  return filterGroups
    .filter((group) => group !== own)
    .map((group) => `by_${group}`)
    .join(' AND ');
}

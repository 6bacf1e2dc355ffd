import type { Device, DevicePage, DeviceSort } from '../contract.ts';
import type { Database } from '../storage/database.ts';
import type { ResourceRow } from '../storage/tables.ts';
import type { Value } from '../storage/statement.ts';
import { writeCursor } from './filters.ts';
import type { ListQuery } from './filters.ts';
import { everyOf, filterGroups, matchesOf, requireAudience } from './matches.store.ts';
import type { FilterGroup, Matches } from './matches.store.ts';

export type DeviceList = Omit<DevicePage, 'at'>;

const orders: Record<DeviceSort, { column: 'name_key' | 'changed_at' | 'created_at'; descending: boolean }> = {
  name: { column: 'name_key', descending: false },
  '-changed': { column: 'changed_at', descending: true },
  '-created': { column: 'created_at', descending: true },
};

/**
 * One page of the caller's devices with the counts of all that match. Everything runs in the reader thread.
 * Throws `swarm.not_found` as `requireAudience` does.
 */
export async function readDevicePage(options: {
  db: Database;
  user: string;
  query: ListQuery;
  fold: (text: string) => string;
}): Promise<DeviceList> {
  const { db, user, query, fold } = options;
  await requireAudience({ db, user, audience: query.filters.audience });
  const matches = matchesOf({ user, filters: query.filters, fold });
  const [counts, swarms, page] = await Promise.all([
    readCounts({ db, matches }),
    readSwarmCounts({ db, matches }),
    readPage({ db, matches, query }),
  ]);
  const { all, total, no_swarm, unplaced, ...machine_type } = counts;
  return { ...page, total, facets: { all, machine_type, no_swarm, unplaced, swarms } };
}

type Counts = Record<'all' | 'total' | 'no_swarm' | 'unplaced' | 'pc' | 'bug' | 'smartphone', number>;

async function readCounts({ db, matches }: { db: Database; matches: Matches }): Promise<Counts> {
  const { sql, params } = judged(matches);
  const alone = `NOT EXISTS (SELECT 1 FROM memberships m WHERE m.resource_id = d.id AND ${matches.knownMembership.sql})`;
  const ofType = (type: string) =>
    `count(*) FILTER (WHERE ${butFor('machine_type')} AND machine_type = '${type}') AS ${type}`;
  const select = `SELECT count(*) AS "all", count(*) FILTER (WHERE ${butFor()}) AS total,
      ${ofType('pc')}, ${ofType('bug')}, ${ofType('smartphone')},
      count(*) FILTER (WHERE ${butFor('placed')} AND unplaced) AS unplaced,
      count(*) FILTER (WHERE ${butFor('swarm')} AND ${alone}) AS no_swarm
    FROM (${sql}) d`;
  // the parameters of `alone` stand before those of the inner query
  const [counts] = await db.query<Counts>(select, [...matches.knownMembership.params, ...params]);
  return { ...counts! };
}

/** A chip for each swarm that a device of the audience is in, also where the filters leave it none. */
async function readSwarmCounts({ db, matches }: { db: Database; matches: Matches }) {
  const { sql, params } = judged(matches);
  const select = `SELECT s.id, s.name, count(*) FILTER (WHERE ${butFor('swarm')}) AS count
    FROM (${sql}) d JOIN memberships m ON m.resource_id = d.id AND ${matches.knownMembership.sql}
      JOIN swarms s ON s.id = m.swarm_id
    GROUP BY s.id ORDER BY lower(s.name), s.id`;
  return db.query<DevicePage['facets']['swarms'][number]>(select, [...params, ...matches.knownMembership.params]);
}

/** Every device of the audience, with the verdict of each filter group as a column. */
function judged({ audience, groups }: Matches): { sql: string; params: Value[] } {
  const verdicts = filterGroups.map((group) => `(${groups[group].sql}) AS by_${group}`);
  return {
    sql: `SELECT r.id, r.machine_type, r.longitude IS NULL AS unplaced, ${verdicts.join(', ')}
      FROM resources r WHERE ${audience.sql}`,
    params: [...filterGroups.flatMap((group) => groups[group].params), ...audience.params],
  };
}

function butFor(own?: FilterGroup): string {
  return filterGroups
    .filter((group) => group !== own)
    .map((group) => `by_${group}`)
    .join(' AND ');
}

type PageRow = Omit<ResourceRow, 'version' | 'name_folded' | 'description_folded' | 'search_text'> & { swarms: string };

async function readPage(options: {
  db: Database;
  matches: Matches;
  query: ListQuery;
}): Promise<Pick<DeviceList, 'items' | 'next'>> {
  const { db, matches, query } = options;
  const { sort, limit, cursor } = query;
  if (limit === 0) return { items: [], next: null };
  const { column, descending } = orders[sort];
  const direction = descending ? 'DESC' : 'ASC';
  const all = everyOf(matches);
  const after = cursor ? `AND (r.${column}, r.id) ${descending ? '<' : '>'} (?, ?)` : '';
  const known = matches.knownMembership;
  // the swarms are joined to the page alone, after the limit
  const select = `SELECT p.*, (
      SELECT json_group_array(json_object('id', s.id, 'name', s.name, 'resource_type', m.resource_type)
        ORDER BY lower(s.name), s.id)
      FROM memberships m JOIN swarms s ON s.id = m.swarm_id WHERE m.resource_id = p.id AND ${known.sql}) AS swarms
    FROM (SELECT r.id, r.user_id, r.name, r.machine_type, r.description, r.longitude, r.latitude,
        r.created_at, r.modified_at, r.changed_at, r.name_key
      FROM resources r WHERE ${all.sql} ${after}
      ORDER BY r.${column} ${direction}, r.id ${direction} LIMIT ?) p
    ORDER BY p.${column} ${direction}, p.id ${direction}`;
  const from = cursor ? [cursor.key, cursor.id] : [];
  const rows = await db.query<PageRow>(select, [...known.params, ...all.params, ...from, limit + 1]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last ? writeCursor({ sort, key: last[column], id: last.id }) : null;
  return { items: shown.map(toDevice), next };
}

function toDevice(row: PageRow): Device {
  const { longitude, latitude } = row;
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    machine_type: row.machine_type,
    ...(row.description !== null && { description: row.description }),
    ...(longitude !== null && latitude !== null && { position: { longitude, latitude } }),
    created_at: row.created_at,
    ...(row.modified_at !== null && { modified_at: row.modified_at }),
    changed_at: row.changed_at,
    swarms: JSON.parse(row.swarms) as Device['swarms'],
  };
}

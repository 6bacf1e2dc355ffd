import type { Device, DeviceFilters, DevicePage, DeviceSort, Member, MemberRole } from '../contract.ts';
import { Problem } from '../http/problem.ts';
import { resourceOf } from '../store/row-mapper.ts';
import { always, join, listOf, raw, sql } from '../store/statement.ts';
import type { Sql } from '../store/statement.ts';
import type { ResourceRow } from '../store/row-types.ts';
import type { Requester } from '../limits/fair-queue.ts';
import type { Reads } from './request-access.ts';
import { isTallied } from './device-counts.ts';
import type { IndexClient } from './index-client.ts';
import type { ListQuery } from './query-types.ts';
import { everyOf, filterGroups, matchesOf } from './device-filters.store.ts';
import type { Matches } from './device-filters.store.ts';
import { writeCursor } from './page-query.ts';

type DeviceList = Omit<DevicePage, 'at'>;

const orders: Record<DeviceSort, { column: string; as: keyof PageRow; descending: boolean }> = {
  name: { column: 'r.name_key', as: 'name_key', descending: false },
  '-changed': { column: 'r.changed_at', as: 'changed_at', descending: true },
  '-created': { column: 'r.created_at', as: 'created_at', descending: true },
  owner: { column: 'r.user_id', as: 'user_id', descending: false },
  '-joined': { column: 'here.member_since', as: 'member_since', descending: true },
};

/** Longer than any client waits: its queries are dropped when it disconnects. */
const timeoutMs = 600_000;
/** Within this time, an index of ten thousand devices is built. */
const momentMs = 250;

/**
 * One page of the matching devices, with the counts of all matches. The caller has checked access to the audience. The
 * index makes the counts, except those of swarms; the reader thread reads the rows. For the audience of a swarm they are
 * members.
 */
export async function readDevicePage(options: {
  requester: Requester & { db: Reads };
  index: IndexClient;
  query: ListQuery;
}): Promise<DeviceList> {
  const { requester, index, query } = options;
  const { db, user } = requester;
  const { filters } = query;
  const matches = matchesOf({ user, filters });
  const later = query.counts === 'later' && hasOrder(query);
  const reply = await index.query('counts', requester, { filters, timeoutMs: later ? momentMs : timeoutMs });
  if ('building' in reply && later) {
    return {
      ...(await readPage({ db, matches, query, refs: undefined })),
      ...nothingCounted,
      building: reply.building,
    };
  }
  if ('building' in reply) throw new Problem('storage.away', { headers: { 'retry-after': '5' } });
  const { total, facets, refs, refsInSwarms, searched } = reply.answer;
  // The index has searched in slices, and read the items of an action. One statement that searches all texts would keep others waiting for seconds.
  const q = searched === undefined ? always : sql`r.ref IN (SELECT CAST(value AS bigint) FROM elements(${searched}))`;
  const found = { ...matches, groups: { ...matches.groups, q, ...(searched !== undefined && { action: always }) } };
  const [page, swarms] = await Promise.all([
    readPage({ db, matches: found, query, refs }),
    countBySwarm({ db, user, filters, matches: found, refs: refsInSwarms }),
  ]);
  return { ...page, total, facets: { ...facets, swarms } };
}

/** An index has the devices in every sort order, so that the database reads no more rows than it returns. */
function hasOrder({ filters, limit }: ListQuery): boolean {
  const { audience, machine_type: _type, ...others } = filters;
  return audience === 'own' && Object.keys(others).length === 0 && limit > 0;
}

const nothingCounted = {
  total: 0,
  facets: { all: 0, machine_type: { pc: 0, bug: 0, smartphone: 0 }, no_swarm: 0, unplaced: 0, swarms: [] },
} satisfies Partial<DeviceList>;

/** Devices as a list of that audience shows them. Those that the caller cannot see there are left out. */
export async function readDevices(options: {
  db: Reads;
  user: string;
  audience: string;
  ids: readonly string[];
}): Promise<(Device | Member)[]> {
  const { db, user, audience, ids } = options;
  const found = await db.read<Pick<ResourceRow, 'ref'>>(
    sql`SELECT ref FROM resources WHERE id IN (SELECT value FROM elements(${JSON.stringify(ids)}))`,
  );
  if (found.length === 0) return [];
  const query: ListQuery = { filters: { audience }, sort: 'name', cursor: undefined, limit: ids.length, counts: 'now' };
  const matches = matchesOf({ user, filters: query.filters });
  return (await readPage({ db, matches, query, refs: found.map(({ ref }) => ref) })).items;
}

type PageRow = Omit<ResourceRow, 'version' | 'name_folded' | 'description_folded'> & {
  resource_type?: MemberRole;
  member_since?: string;
};

async function readPage(options: {
  db: Reads;
  matches: Matches;
  query: ListQuery;
  /** The refs of the matching rows, if they are known. Then only these rows are read. */
  refs: number[] | undefined;
}): Promise<Pick<DeviceList, 'items' | 'next' | 'offset'>> {
  const { db, matches, query, refs } = options;
  const { sort, limit, cursor } = query;
  if (limit === 0) return { items: [], next: null };
  const { column, as, descending } = orders[sort];
  const direction = raw(descending ? 'DESC' : 'ASC');
  const [before, after] = (descending ? ['>', '<'] : ['<', '>']).map(raw) as [Sql, Sql];
  const by = raw(column);
  const all = everyOf(refs ? { ...matches, audience: matches.audienceOfRow } : matches);
  const rest = cursor ? sql`AND (${by}, r.ref) ${after} (${cursor.key}, ${cursor.id})` : raw('');
  // The joins are evaluated in this order, so only these rows are read.
  const ofSwarm = raw(
    matches.swarm === undefined ? '' : 'JOIN /*in this order*/ memberships here ON here.resource_id = r.id',
  );
  const among = sql`elements(${JSON.stringify(refs ?? [])}) wanted JOIN /*in this order*/ resources r ON r.ref = CAST(wanted.value AS bigint) ${ofSwarm}`;
  const member = raw(matches.swarm === undefined ? '' : ', here.resource_type, here.member_since');
  const source = sql`${refs ? among : raw(matches.devices)} WHERE ${all}`;

  /** Half a page before `around`, if that is in the list. */
  async function firstRow(): Promise<number> {
    if (query.around === undefined) return query.offset ?? 0;
    const keyOf = sql`SELECT ${by} AS key, r.ref FROM ${source} AND r.id = ${query.around}`;
    const [found] = await db.read<{ key: string; ref: number }>(keyOf);
    if (!found) return 0;
    const count = sql`SELECT count(*) AS rank FROM ${source} AND (${by}, r.ref) ${before} (${found.key}, ${found.ref})`;
    const [counted] = await db.read<{ rank: number }>(count);
    return Math.max(0, (counted?.rank ?? 0) - Math.floor(limit / 2));
  }
  const offset = cursor ? 0 : await firstRow();

  // The swarms are read after the limit, only for this page.
  const select = sql`SELECT r.ref, r.id, r.user_id, r.name, r.machine_type, r.description, r.longitude, r.latitude,
      r.created_at, r.modified_at, r.changed_at, r.name_key${member}
    FROM ${source} ${rest}
    ORDER BY ${by} ${direction}, r.ref ${direction} LIMIT ${limit + 1} OFFSET ${offset}`;
  const rows = await db.read<PageRow>(select);
  const shown = rows.slice(0, limit);
  const swarms = await readSwarmsOf({ db, matches, ids: shown.map(({ id }) => id) });
  const last = shown.at(-1);
  const next = rows.length > limit && last ? writeCursor({ sort, key: String(last[as]), id: last.ref }) : null;
  const isPlaced = !cursor && (query.around !== undefined || query.offset !== undefined);
  const swarmsOf = (id: string) => (swarms.get(id) ?? []).map(({ device: _device, ...swarm }) => swarm);
  return { items: shown.map((row) => toDevice(row, swarmsOf(row.id))), next, ...(isPlaced && { offset }) };
}

/** The swarms that the caller may know of, by device. */
async function readSwarmsOf(options: { db: Reads; matches: Matches; ids: string[] }) {
  const { db, matches, ids } = options;
  const rows = await db.read<Device['swarms'][number] & { device: string }>(
    sql`SELECT m.resource_id AS device, s.id, s.name, m.resource_type
      FROM memberships m JOIN swarms s ON s.id = m.swarm_id
      WHERE m.resource_id IN (SELECT value FROM elements(${JSON.stringify(ids)})) AND ${matches.knownMembership}
      ORDER BY lower(s.name), s.id`,
  );
  return Map.groupBy(rows, ({ device }) => device);
}

function toDevice(row: PageRow, swarms: Device['swarms']): Device | Member {
  const { changed_at, resource_type, member_since } = row;
  return {
    ...resourceOf(row),
    changed_at,
    swarms,
    ...(resource_type && member_since && { resource_type, member_since }),
  };
}

type SwarmCounts = DevicePage['facets']['swarms'];

/**
 * The count of each swarm that has a device of the audience, also if no device matches. `refs`: the matches in swarms,
 * ignoring the swarm filter, if they are few and not tallied (isTallied).
 */
async function countBySwarm(options: {
  db: Reads;
  user: string;
  filters: DeviceFilters;
  matches: Matches;
  refs: number[] | undefined;
}): Promise<SwarmCounts> {
  const { db, user, filters, matches, refs } = options;
  if (isTallied(filters)) return countTallied({ db, user, machine_type: filters.machine_type });
  return refs ? countAmong({ db, user, refs }) : countMembers({ db, matches });
}

async function countTallied(options: { db: Reads; user: string; machine_type: DeviceFilters['machine_type'] }) {
  const { db, user, machine_type = [] } = options;
  const isOfType = machine_type.length === 0 ? always : sql`t.machine_type IN (${listOf(machine_type)})`;
  const select = sql`SELECT s.id, s.name, coalesce(sum(t.resources) FILTER (WHERE ${isOfType}), 0) AS count
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

/** Its cost grows with the devices, or with the members of the swarms that the caller may know of. */
async function countMembers({ db, matches }: { db: Reads; matches: Matches }) {
  const select = sql`SELECT s.id, s.name, count(*) FILTER (WHERE ${butForSwarm}) AS count
    FROM (${withVerdicts(matches)}) d JOIN memberships m ON m.resource_id = d.id AND ${matches.knownMembership}
      JOIN swarms s ON s.id = m.swarm_id
    GROUP BY s.id ORDER BY lower(s.name), s.id`;
  return db.read<SwarmCounts[number]>(select);
}

const otherGroups = filterGroups.filter((group) => group !== 'swarm');
const butForSwarm = raw(otherGroups.map((group) => `by_${group}`).join(' AND '));

/** Every device of the audience, with the verdict of each filter group but the swarm's as a column. */
function withVerdicts({ devices, audience, groups }: Matches): Sql {
  const verdicts = otherGroups.map((group) => sql`(${groups[group]}) AS ${raw(`by_${group}`)}`);
  return sql`SELECT ${join([raw('r.id'), ...verdicts], ', ')} FROM ${raw(devices)} WHERE ${audience}`;
}

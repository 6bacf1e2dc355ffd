import type { MachineType, MemberRole, SwarmFlow, SwarmItem } from '../../contract.ts';
import { machineTypes, memberRoles, type ManagerRole } from '../../core/limits/field-rules.ts';
import {
  lastActive,
  hasMembers,
  isViewer,
  isManager,
  roleOf,
  seenSwarms,
  seesMembers,
  viewers,
  isBlocked,
  isOpen,
} from '../../core/store/visibility.ts';
import { isOfSender } from '../../core/store/messages-of-sender.ts';
import { mayBeginId } from '../../core/store/search-text.ts';
import { allOf, always, join, listOf, raw, sql, type Sql } from '../../core/store/statement.ts';
import type { SwarmRow } from '../../core/store/row-types.ts';
import { readAtOnce, readGroupsOf } from '../../core/store/swarm-groups.ts';
import type { Reads } from '../caller.ts';

/** Swarms that the user owns come first, then those that the user manages, those that the user watches, and others with the user's devices. */
export const allRanks = ['0', '1', '2', '3'] as const;
export type Rank = (typeof allRanks)[number];
/** The order of a list. `key`: the rank and the sort key of the name. */
interface SwarmKey {
  id: string;
  key: string;
}

/** Each word must be in the name, the owner's name or the description, or at the beginning of the id. */
function contains(word: string): Sql {
  return join(
    [
      sql`strpos(coalesce(t.search_text, lower(s.name)), ${word}) > 0`,
      sql`strpos(s.user_id, ${word}) > 0`,
      ...(mayBeginId(word) ? [sql`strpos(replace(s.id, '-', ''), ${word}) = 1`] : []),
    ],
    ' OR ',
  );
}

const swarmColumns = [
  ...(['id', 'user_id', 'name', 'description', 'public', 'listed', 'accepts_requests'] as const),
  ...(['expected_every', 'created_at', 'version'] as const),
];

type Tallies = Record<'member_count' | `type_${MachineType}` | `role_${MemberRole}` | `own_${MemberRole}`, number>;
type Row = Pick<SwarmRow, (typeof swarmColumns)[number]> &
  Tallies & {
    viewer: number;
    role: ManagerRole | null;
    blocked: number;
    changed_at: string | null;
    active_at: string | null;
    open: number;
    requests: number;
  };

/**
 * Up to this number of members, the last change is read with the swarm from its members. Beyond it, it is that of a member among the `newest` devices
 * of each owner if the owners are few, so that these are not more rows. Or else it is read from all members, in parts.
 */
const { members: fewMembers } = readAtOnce;
const newest = 100;
const fewOwners = fewMembers / newest;

const tallies = [
  'sum(resources) AS member_count',
  ...machineTypes.map((type) => `sum(resources) FILTER (WHERE machine_type = '${type}') AS type_${type}`),
  ...memberRoles.map((role) => `sum(resources) FILTER (WHERE resource_type = '${role}') AS role_${role}`),
  ...memberRoles.map(
    (role) => `sum(resources) FILTER (WHERE resource_type = '${role}' AND user_id = $1) AS own_${role}`,
  ),
];
const tallyColumns = tallies.map((tally) => `t.${tally.split(' AS ')[1]}`);
const openOf = "SELECT count(*) FROM invitations i WHERE i.swarm_id = s.id AND i.status = 'new' AND i.is_second = 0";
const requestsOf = "SELECT count(*) FROM join_requests q WHERE q.swarm_id = s.id AND q.status = 'new'";
const newestMember = `SELECT max(r.changed_at) FROM memberships m JOIN resources r ON r.id = m.resource_id
  WHERE m.swarm_id = s.id`;
/** Reads each owner's newest change in the swarm, by the index on changes. */
const newestOfOwners = `SELECT max((
    SELECT max(r.changed_at) FROM (SELECT id, changed_at FROM resources WHERE user_id = viewer.user_id
      ORDER BY changed_at DESC LIMIT ${newest}) r
    WHERE EXISTS (SELECT 1 FROM memberships m WHERE m.swarm_id = s.id AND m.resource_id = r.id)))
  FROM ${viewers} WHERE viewer.swarm_id = s.id AND ${hasMembers} AND ${isViewer}`;
const caller = { user: raw('$1'), swarm: raw('s.id') };
const manages = `(s.user_id = $1 OR ${isManager(caller).sql})`;
/** SQL: the items of the swarms with the ids that `ids` selects. `$1`: the caller. */
const itemsOf = (ids: string) => `
  WITH t AS MATERIALIZED (SELECT swarm_id, count(DISTINCT user_id) AS owners, ${tallies.join(', ')} FROM member_tallies
    WHERE swarm_id IN (${ids}) GROUP BY swarm_id)
  SELECT ${swarmColumns.map((column) => `s.${column}`).join(', ')}, ${tallyColumns.join(', ')}, ${seesMembers(caller).sql} AS viewer, ${roleOf(caller).sql} AS role,
    (${isBlocked(raw('$1')).sql}) AS blocked,
    CASE WHEN t.member_count <= ${fewMembers} THEN (${newestMember})
      WHEN t.owners <= ${fewOwners} THEN (${newestOfOwners}) END AS changed_at,
    CASE WHEN s.public = 1 THEN coalesce((SELECT d.active_at FROM directory d WHERE d.swarm_id = s.id), ${lastActive})
      END AS active_at,
    CASE WHEN ${manages} THEN (${openOf}) ELSE 0 END AS open,
    CASE WHEN ${manages} THEN (${requestsOf}) ELSE 0 END AS requests
  FROM swarms s LEFT JOIN t ON t.swarm_id = s.id WHERE s.id IN (${ids})`;

const selectItems = itemsOf('SELECT wanted.value FROM elements($2) wanted');
/** A subquery, not a join, for which PostgreSQL would read all devices of all users. */
const selectChange = `SELECT max(resource_id) AS last_id, count(*) AS members,
    max((SELECT r.changed_at FROM resources r WHERE r.id = part.resource_id)) AS changed_at
  FROM (SELECT resource_id FROM memberships WHERE swarm_id = $1 AND resource_id > $2
    ORDER BY resource_id LIMIT ${fewMembers}) part`;

/** The swarms with these ids, which have few members together, or one with many. */
async function readItems(db: Reads, user: string, ids: readonly string[]) {
  const rows = await db.read<Row>({ sql: selectItems, params: [user, JSON.stringify(ids)] });
  for (const row of rows) if (row.member_count > fewMembers) row.changed_at ??= await readChange(db, row.id);
  return rows.map((row) => ({ item: toItem(row, user), version: row.version }));
}

/** The last change of a member. */
async function readChange(db: Reads, swarm: string): Promise<string | null> {
  let last: string | null = null;
  for (let after = ''; ;) {
    const [part] = await db.read<{ last_id: string | null; changed_at: string | null; members: number }>({
      sql: selectChange,
      params: [swarm, after],
    });
    const { last_id, changed_at, members } = part!;
    if (changed_at !== null && (last === null || changed_at > last)) last = changed_at;
    if (last_id === null || members < fewMembers) return last;
    after = last_id;
  }
}

/** The list item of a swarm, if it is there. The caller has checked access. */
export async function readSwarmItem(options: {
  db: Reads;
  user: string;
  id: string;
}): Promise<{ item: SwarmItem; version: number } | undefined> {
  const { db, user, id } = options;
  const [found] = await readItems(db, user, [id]);
  return found;
}

const rankCounts = allRanks.map((rank) => `count(*) FILTER (WHERE rank = '${rank}') AS count_${rank}`).join(', ');
const rankNames = allRanks.map((rank) => `counted.count_${rank}`).join(', ');

/**
 * A page of the swarms in these ranks that match, and the number of all that match in each rank. One read has the items of swarms that have
 * few members together (`readGroupsOf`). `next`: the last one of the page, if there are more.
 */
export async function readSwarmPage(options: {
  db: Reads;
  user: string;
  words: readonly string[];
  ranks: readonly Rank[];
  after: SwarmKey | undefined;
  limit: number;
}): Promise<{ items: SwarmItem[]; next: SwarmKey | undefined; counts: Record<Rank, number> }> {
  const { db, user, words, ranks, after, limit } = options;
  const from = after
    ? sql`(rank, name_key, id) > (${after.key.slice(0, 1)}, ${after.key.slice(1)}, ${after.id})`
    : always;
  const rows = await db.read<
    Record<`count_${Rank}`, number> & { id: string; rank: Rank | null; name_key: string; members: number }
  >(sql`
    WITH matching AS MATERIALIZED (
      SELECT s.id, coalesce(t.name_key, lower(s.name)) AS name_key, CASE WHEN s.user_id = ${user} THEN '0'
        ELSE CASE ${roleOf({ user: sql`${user}`, swarm: raw('s.id') })} WHEN 'manager' THEN '1' WHEN 'watcher' THEN '2' ELSE '3' END
        END AS rank
      FROM ${raw(seenSwarms)} LEFT JOIN swarm_texts t ON t.swarm_id = s.id
      WHERE viewer.user_id = ${user} AND ${allOf(words.map(contains))}),
    page AS MATERIALIZED (SELECT id, rank, name_key FROM matching
      WHERE rank IN (${listOf(ranks)}) AND ${from} ORDER BY rank, name_key, id LIMIT ${limit + 1})
    SELECT ${raw(rankNames)}, page.id, page.rank, page.name_key, coalesce(size.members, 0) AS members FROM (SELECT ${raw(rankCounts)} FROM matching) counted
      LEFT JOIN page ON true LEFT JOIN swarm_sizes size ON size.swarm_id = page.id
    ORDER BY page.rank, page.name_key, page.id`);
  const [first] = rows;
  const found = rows.filter(({ rank }) => rank !== null);
  const page = found.slice(0, limit);
  const items = new Map<string, SwarmItem>();
  for (const group of readGroupsOf(page)) {
    const ids = group.map(({ id }) => id);
    for (const { item } of await readItems(db, user, ids)) items.set(item.id, item);
  }
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    // Meanwhile a swarm may have ended, or the user may have lost access to it.
    items: page.flatMap(({ id }) => items.get(id) ?? []).filter(({ relation }) => relation !== 'guest'),
    next: last && { id: last.id, key: last.rank + last.name_key },
    counts: { '0': first!.count_0, '1': first!.count_1, '2': first!.count_2, '3': first!.count_3 },
  };
}

function toItem(row: Row, user: string): SwarmItem {
  const { id, user_id, name, description, created_at, changed_at, open, requests } = row;
  const relation = user_id === user ? 'owner' : (row.role ?? (row.viewer ? 'member' : 'guest'));
  const machine_type = pick(machineTypes, (type) => row[`type_${type}`]);
  const resource_type = pick(memberRoles, (role) => row[`role_${role}`]);
  const isTheirs = relation === 'owner' || relation === 'manager';
  return {
    id,
    user_id,
    name,
    description,
    public: row.public === 1,
    listed: row.listed === 1,
    created_at,
    active_at: row.active_at,
    member_count: row.member_count ?? 0,
    relation,
    members: relation === 'guest' ? null : { machine_type, resource_type, changed_at },
    ...(row.expected_every !== null && { expected_every: row.expected_every }),
    // A user who is blocked sees a swarm that does not accept requests.
    accepts_requests: row.accepts_requests === 1 && !row.blocked,
    may_ask: relation !== 'owner' && row.public === 1 && row.accepts_requests === 1 && !row.blocked,
    own: pick(memberRoles, (role) => row[`own_${role}`]),
    invitations: isTheirs ? { new: open, requests } : null,
  };
}

function pick<T extends string>(names: readonly T[], valueOf: (name: T) => number | null): Record<T, number> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name) ?? 0])) as Record<T, number>;
}

/**
 * What joining the swarm would mean for a device, which may be a member with the other role: it is none of those that it would receive from, or
 * send to. Only who may know whether it is a member learns it by that. The caller has checked access to the swarm.
 */
export async function readFlow(options: {
  db: Reads;
  user: string;
  swarm: string;
  resource: string;
  since: string;
}): Promise<SwarmFlow> {
  const { db, user, swarm, resource, since } = options;
  const membersBut = (role: MemberRole) =>
    sql`SELECT coalesce(sum(resources), 0) - (SELECT count(*) FROM memberships m JOIN resources r ON r.id = m.resource_id
        WHERE m.swarm_id = ${swarm} AND m.resource_id = ${resource} AND m.resource_type <> ${role} AND ${raw(isOpen('m'))}
          AND (r.user_id = ${user} OR ${seesMembers({ user: sql`${user}`, swarm: sql`${swarm}` })}))
      FROM member_tallies WHERE swarm_id = ${swarm} AND resource_type <> ${role}`;
  const [row] = await db.read<
    Required<Omit<SwarmFlow, 'expected_every'>> & { is_own: number; expects: number | null }
  >(sql`
    SELECT (${membersBut('consumer')}) AS producers, (${membersBut('producer')}) AS consumers,
      (SELECT count(DISTINCT m.id) FROM messages m JOIN resources r ON r.id = m.sender_id AND r.user_id = ${user}
        WHERE ${isOfSender('m', sql`${resource}`)} AND m.sent_at >= ${since}) AS sent,
      CASE WHEN ${resource} = '' OR EXISTS
        (SELECT 1 FROM resources r WHERE r.id = ${resource} AND r.user_id = ${user} AND r.expected_every IS NULL)
        THEN s.expected_every END AS expects,
      CASE WHEN s.user_id = ${user} THEN 1 ELSE 0 END AS is_own, CASE WHEN s.user_id = ${user} THEN
        (SELECT count(*) FROM memberships m WHERE m.swarm_id = s.id AND m.shown_by_links = 1 AND ${raw(isOpen('m'))}) END AS shown
    FROM swarms s WHERE s.id = ${swarm}`);
  // The swarm was deleted a moment ago.
  if (!row) return { producers: 0, consumers: 0, sent: 0 };
  const { is_own, shown, expects, ...flow } = row;
  return { ...flow, ...(expects !== null && { expected_every: expects }), ...(is_own === 1 && { shown }) };
}

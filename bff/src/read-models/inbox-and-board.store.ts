import {
  invitationStates,
  type InboxSummary,
  type Invitation,
  type InvitationCounts,
  type InvitationFilters,
  type InvitationItem,
  type InvitationPage,
  type InvitationRole,
  type InvitationSwarm,
  type MachineType,
} from '../contract.ts';
import { createAdaptiveSliceSize } from '../store/adaptive-slice-size.ts';
import { mayBeginId, searchText, searchWords } from '../store/search-text.ts';
import { invitationOf } from '../store/invitation-record.ts';
import { allOf, always, join, listOf, raw, sql, type Sql } from '../store/statement.ts';
import type { InvitationRow } from '../store/row-types.ts';
import { isManager, seesDevice, seesMembers } from '../store/visibility.ts';
import type { Reads } from './caller.ts';
import { writeCursor, type Cursor } from '../http/query.ts';

/** The only sort order of inbox and board. */
export const invitationSort = 'invitations';

const staleAfterDays = 14;

/** The time before which an open invitation was sent if it is stale. */
export function staleBefore(at: Date): string {
  return new Date(at.getTime() - staleAfterDays * 24 * 3600 * 1000).toISOString();
}

/** The invitations that this user received or sent, or those to a swarm that the viewer owns or manages. */
export type Scope = { received: string } | { sent: string } | { board: string; viewer: string };

/** Rows `i` of `invitations`, or requests to join with the same columns. */
interface Source {
  from: Sql;
  columns: Sql;
  /** The swarm's owner as the caller knows it. */
  owner: Sql;
  scope: Sql;
  /** Not the second invitation of a pair, which the first one shows. */
  shown: Sql;
  /** Every filter except the state. The counts by state use these. */
  rest: Sql;
}

/** The invitations and the requests of the caller. */
interface InvitationMatches {
  sources: readonly Source[];
  /** Whether `rest` has to read each row: then the rows are read in slices. */
  searching: boolean;
  /** The filter `state`: rows with these statuses, in the order of the list, and a further condition. */
  statuses: readonly Invitation['status'][];
  state: Sql;
  /** SQL: the caller may see the row `r` of `resources`. */
  seesDevice: Sql;
  /** The caller may see the row `s` of `swarms`. */
  seesSwarm: Sql;
  viewer: string;
}

/** The other side of an invitation, the column by which it is the caller's, and when the caller sees the device and the swarm. */
function sideOf(scope: Scope) {
  const shared = (viewer: string) => seesDevice({ user: sql`${viewer}`, resource: raw('r.id') });
  if ('board' in scope) {
    const { board, viewer } = scope;
    return { key: 'i.swarm_id', value: board, viewer, other: 'i."to"', seesDevice: shared(viewer), seesSwarm: always };
  }
  const isReceived = 'received' in scope;
  const user = isReceived ? scope.received : scope.sent;
  const seesSwarm = sql`s.public = 1
    OR ${seesMembers({ user: sql`${user}`, swarm: raw('s.id') })}
    OR EXISTS (SELECT 1 FROM invitations o WHERE o."to" = ${user} AND o.swarm_id = s.id AND o.status = 'new')`;
  const seen = { value: user, viewer: user, seesSwarm };
  return isReceived
    ? { key: 'i."to"', other: 'i."from"', seesDevice: raw('r.user_id = i."to"'), ...seen }
    : { key: 'i."from"', other: 'i."to"', seesDevice: shared(user), ...seen };
}

const columns = raw(
  [
    'id',
    '"from"',
    '"to"',
    'swarm_id',
    'resource_id',
    'resource_type',
    'description',
    'sent_at',
    'status',
    'accepted_at',
    'rejected_at',
    'created_at',
    'changed_at',
    'last_known_name',
  ]
    .map((column) => `i.${column}`)
    .join(', '),
);
const invitations = {
  from: raw('invitations i'),
  owner: raw('i."from"'),
  shown: raw('i.is_second = 0'),
  columns: sql`${columns}, i."from" AS last_known_owner, i.label, NULL AS asked_name, NULL AS asked_type`,
};
/**
 * Requests to join, as if they were invitations to the owner of the swarm, or to nobody if the caller does not see the
 * swarm any more. Those that were withdrawn are not shown.
 */
const requestsOf = (seesSwarm: Sql) => ({
  from: sql`(SELECT q.id, q.user_id AS "from", CASE WHEN ${seesSwarm} THEN s.user_id ELSE '' END AS "to", q.swarm_id, q.resource_id, q.resource_type,
      q.message AS description, q.asked_at AS sent_at, q.status,
      CASE WHEN q.status = 'accepted' THEN q.ended_at END AS accepted_at,
      CASE WHEN q.status = 'rejected' THEN q.ended_at END AS rejected_at, q.asked_at AS created_at, q.changed_at,
      q.swarm_name AS last_known_name, NULL AS link_id, q.resource_name AS asked_name, q.machine_type AS asked_type,
      q.resource_folded
    FROM join_requests q JOIN swarms s ON s.id = q.swarm_id AND s.user_id <> '' WHERE q.status <> 'withdrawn') i`,
  owner: raw('i."to"'),
  shown: always,
  columns: sql`${columns}, i."to" AS last_known_owner, NULL AS label, i.asked_name, i.asked_type`,
});

/**
 * SQL: the id of the invitation as consumer that a row `i` of `invitations` shows too. `|| ''` keeps SQLite from using the
 * board's index, which finds all that were sent at once.
 */
const otherId = raw(`SELECT min(other.id) FROM invitations other WHERE other.is_second = 1
  AND other.swarm_id = i.swarm_id AND other.resource_id = i.resource_id AND other.changed_at = i.changed_at
  AND other.status || '' = i.status AND i.resource_type = 'producer'`);

/** The filters as SQL. The names of swarms are searched before, once for all slices. */
export async function invitationMatchesOf(options: {
  db: Reads;
  scope: Scope;
  filters: InvitationFilters;
  staleBefore: string;
}): Promise<InvitationMatches> {
  const { db, scope, filters, staleBefore } = options;
  const { key, value, viewer, other, seesDevice, seesSwarm } = sideOf(scope);
  const { state, q, swarm, resource, link, until } = filters;
  // A resource has few invitations, so its index is used instead of the one by user.
  const own: Sql = sql`${raw(resource === undefined ? key : `${key} || ''`)} = ${value}`;
  const isSent = 'sent' in scope;
  // Those of a swarm that the user manages are its owner's.
  const sentForOwner =
    isSent && swarm !== undefined
      ? sql`(${own} OR (i.swarm_id = ${swarm} AND ${isManager({ user: sql`${value}`, swarm: sql`${swarm}` })}))`
      : own;
  const managed = sql`i.swarm_id IN (SELECT id FROM swarms WHERE user_id = ${value}
    UNION ALL SELECT swarm_id FROM managers WHERE user_id = ${value} AND role = 'manager' AND agreed_at IS NOT NULL)`;
  const requests = requestsOf(seesSwarm);
  const scopes = new Map([
    [invitations, sentForOwner],
    [requests, isSent ? own : managed],
  ]);
  const rest: Sql[] = [
    swarm === undefined ? always : sql`i.swarm_id = ${swarm}`,
    resource === undefined ? always : sql`i.resource_id = ${resource}`,
    link === undefined ? always : sql`i.link_id = ${link}`,
    until === undefined ? always : sql`i.changed_at <= ${until}`,
  ];
  const words = searchWords(q ?? '');
  // Those who receive an invitation do not see its label.
  const labelled = (word: string) =>
    'received' in scope ? raw('') : sql` OR (i."to" <> ${viewer} AND strpos(i.label_folded, ${word}) > 0)`;
  const named = words.length === 0 || 'board' in scope ? [] : await swarmNames({ db, scopes, seesSwarm, words });
  const sources = ('board' in scope ? [invitations] : [invitations, requests]).map((source): Source => {
    const device =
      source === requests
        ? (word: string) => sql`strpos(i.resource_folded, ${word}) > 0`
        : (word: string) => sql`EXISTS (SELECT 1 FROM resources r
            WHERE r.id = i.resource_id AND ${seesDevice} AND strpos(r.name_folded, ${word}) > 0)${labelled(word)}`;
    const containing = words.map((word) => {
      const swarms = named.filter(({ found }) => found.has(word));
      return isIn({ word, other, device: device(word), swarms });
    });
    return { ...source, scope: scopes.get(source)!, rest: allOf([...rest, ...containing]) };
  });
  return {
    sources,
    searching: words.length > 0,
    ...stateOf({ state, staleBefore }),
    seesDevice,
    seesSwarm,
    viewer,
  };
}

/** A name of a swarm, and the words that are in it. `key`: what its invitations have in `column`. */
interface SearchedName {
  found: ReadonlySet<string>;
  column: 'i.swarm_id' | `i.swarm_id || ' ' || i.last_known_name`;
  key: string;
}

/** The folded name of a row `s` of `swarms` with its texts `t`, which are the name and the description in lines. */
const foldedName = sql`coalesce(substr(t.search_text, 1, strpos(t.search_text, ${'\n'}) - 1), lower(s.name))`;

/** The names of the swarms of the caller's invitations, as the caller sees them, that have one of the words. */
async function swarmNames(options: {
  db: Reads;
  scopes: ReadonlyMap<Pick<Source, 'from'>, Sql>;
  seesSwarm: Sql;
  words: readonly string[];
}): Promise<SearchedName[]> {
  const { db, scopes, seesSwarm, words } = options;
  const selectOf = (columns: string, condition = always) =>
    join(
      [...scopes].map(([{ from }, own]) => sql`SELECT ${raw(columns)} FROM ${from} WHERE ${own} AND ${condition}`),
      ' UNION ',
    );
  const flags = join(
    words.map((word) => sql`CASE WHEN strpos(${foldedName}, ${word}) > 0 THEN '1' ELSE '0' END`),
    ' || ',
  );
  /** `flags`: a digit for each word, 1 if the name has it. */
  const swarms = await db.read<{ id: string; is_visible: number; flags: string }>(
    sql`SELECT * FROM (SELECT s.id, (${seesSwarm}) AS is_visible, ${flags} AS flags
        FROM swarms s LEFT JOIN swarm_texts t ON t.swarm_id = s.id WHERE s.id IN (${selectOf('i.swarm_id')})) named
      WHERE NOT is_visible OR strpos(flags, '1') > 0`,
  );
  const hidden = swarms.filter(({ is_visible }) => !is_visible).map(({ id }) => id);
  const isHidden = sql`i.last_known_name IS NOT NULL AND i.swarm_id IN (SELECT value FROM elements(${JSON.stringify(hidden)}))`;
  const former =
    hidden.length === 0
      ? []
      : await db.read<{ id: string; name: string }>(selectOf('i.swarm_id AS id, i.last_known_name AS name', isHidden));
  return [
    ...swarms
      .filter(({ is_visible }) => is_visible)
      .map(({ id, flags: digits }) => ({
        found: new Set(words.filter((_, index) => digits[index] === '1')),
        column: 'i.swarm_id' as const,
        key: id,
      })),
    // The database has no folded copy of the names of swarms that the caller no longer sees.
    ...former.map(({ id, name }) => {
      const text = searchText(name);
      return {
        found: new Set(words.filter((word) => text.includes(word))),
        column: `i.swarm_id || ' ' || i.last_known_name` as const,
        key: `${id} ${name}`,
      };
    }),
  ];
}

/** The word is in the name of the other user, of one of these swarms or of the device, or begins the device's id. */
function isIn(options: { word: string; other: string; device: Sql; swarms: SearchedName[] }): Sql {
  const { word, other, device, swarms } = options;
  const ways: Sql[] = [
    sql`strpos(${raw(other)}, ${word}) > 0`,
    ...[...Map.groupBy(swarms, ({ column }) => column)].map(([column, names]) => {
      const keys = JSON.stringify(names.map(({ key }) => key));
      return sql`${raw(column)} IN (SELECT value FROM elements(${keys}))`;
    }),
    ...(mayBeginId(word) ? [sql`strpos(replace(i.resource_id, '-', ''), ${word}) = 1`] : []),
    device,
  ];
  return join(ways, ' OR ');
}

function stateOf(options: { state: InvitationFilters['state']; staleBefore: string }) {
  const { state, staleBefore } = options;
  const some = (...statuses: Invitation['status'][]) => ({ statuses, state: always });
  if (state === undefined) return some(...invitationStates);
  if (state === 'answered') return some('accepted', 'rejected');
  if (state === 'stale') return { ...some('new'), state: sentBefore(staleBefore) };
  return some(state);
}

/** An open invitation last changed when it was sent. `changed_at` has an index. */
function sentBefore(time: string): Sql {
  return sql`i.changed_at < ${time}`;
}

/** The columns of a row `s` of `swarms` that its card has. */
const cardColumns = raw(`s.id AS swarm_id, s.user_id AS swarm_owner, s.name AS swarm_name,
  s.description AS swarm_description, s.public AS swarm_public,
  coalesce((SELECT size.members FROM swarm_sizes size WHERE size.swarm_id = s.id), 0) AS member_count`);

interface CardRow {
  swarm_id: string;
  swarm_owner: string;
  swarm_name: string;
  swarm_description: string;
  swarm_public: number;
  member_count: number;
  is_visible: number;
  /** Shown instead of `swarm_name` and `swarm_owner` if the swarm is not visible. */
  last_known_name: string | null;
  last_known_owner: string;
}

function cardOf(row: CardRow): InvitationSwarm {
  const { swarm_id: id, swarm_owner: user_id, swarm_name: name } = row;
  if (!row.is_visible) return { id, user_id: row.last_known_owner, name: row.last_known_name ?? name };
  return {
    id,
    user_id,
    name,
    description: row.swarm_description,
    public: row.swarm_public === 1,
    member_count: row.member_count,
  };
}

/** Rows of one source with one status. */
interface Range {
  source: Source;
  status: Invitation['status'];
  /** What an index answers. */
  indexed: Sql;
  /** The other conditions. */
  rest: Sql;
}

const whereOf = ({ indexed, rest }: Pick<Range, 'indexed' | 'rest'>) => allOf([indexed, rest]);

/** A statement of a slice reads at least so many rows of each range. Below it, finding the end of a slice takes longer. */
const sliceSize = { least: 250, first: 500 };

/**
 * Reads the ranges, in a search by slices of `changed_at`, newest first, until `read` returns true. SQLite executes one long
 * read at a time and cannot interrupt it, so that other users' lists wait for each statement.
 */
async function readSlices(options: {
  db: Reads;
  isSearch: boolean;
  ranges: readonly Range[];
  read: (slice: readonly Range[]) => Promise<boolean>;
}): Promise<boolean> {
  const { db, isSearch, ranges, read } = options;
  if (!isSearch) return read(ranges);
  const size = createAdaptiveSliceSize(sliceSize);
  for (let within = always; ;) {
    const ends = ranges.map(
      ({
        source: { from },
        indexed,
      }) => sql`SELECT * FROM (SELECT i.changed_at FROM ${from} WHERE ${indexed} AND ${within}
        ORDER BY i.changed_at DESC LIMIT 1 OFFSET ${size.rows - 1}) slice`,
    );
    const [row] = await db.read<{ end: string | null }>(
      sql`SELECT max(changed_at) AS "end" FROM (${join(ends, ' UNION ALL ')}) ends`,
    );
    const end = row!.end;
    const slice = end === null ? within : sql`${within} AND i.changed_at >= ${end}`;
    const rows = ranges.map((range) => ({ ...range, indexed: sql`${range.indexed} AND ${slice}` }));
    const isEnough = await size.timed(() => read(rows));
    if (isEnough || end === null) return isEnough;
    within = sql`i.changed_at < ${end}`;
  }
}

/** The number of invitations in each state, ignoring the filter by state. */
export async function countInvitations(options: {
  db: Reads;
  matches: InvitationMatches;
  staleBefore: string;
}): Promise<InvitationCounts> {
  const { db, matches, staleBefore } = options;
  const sum = { new: 0, accepted: 0, rejected: 0, stale: 0 };
  const ranges = invitationStates.flatMap((status) =>
    matches.sources.map((source): Range => {
      const indexed = allOf([source.scope, sql`i.status = ${status}`]);
      return { source, status, indexed, rest: allOf([source.shown, source.rest]) };
    }),
  );
  async function read(some: readonly Range[]): Promise<boolean> {
    const selects = some.map(
      (range) => sql`SELECT ${raw(`'${range.status}'`)} AS status, count(*) AS count,
        count(*) FILTER (WHERE ${sentBefore(staleBefore)}) AS stale
        FROM ${range.source.from} WHERE ${whereOf(range)}`,
    );
    const rows = await db.read<{ status: Invitation['status']; count: number; stale: number }>(
      join(selects, ' UNION ALL '),
    );
    for (const { status, count, stale } of rows) {
      sum[status] += count;
      if (status === 'new') sum.stale += stale;
    }
    return false;
  }
  await readSlices({ db, isSearch: matches.searching, ranges, read });
  return sum;
}

/** The swarms that a user is asked to manage, to watch or to own. */
export async function countOffers({ db, user }: { db: Reads; user: string }): Promise<number> {
  const [row] = await db.read<{ offers: number }>(sql`SELECT count(*) AS offers FROM managers
    WHERE user_id = ${user} AND (agreed_at IS NULL OR offered_at IS NOT NULL)`);
  return row!.offers;
}

export function totalOf(counts: InvitationCounts, state: InvitationFilters['state']): number {
  if (state === undefined) return counts.new + counts.accepted + counts.rejected;
  return state === 'answered' ? counts.accepted + counts.rejected : counts[state];
}

/** One page: open ones first, then by the newest change. */
export async function readInvitations(options: {
  db: Reads;
  matches: InvitationMatches;
  page: { cursor: Cursor | undefined; limit: number };
}): Promise<Pick<InvitationPage, 'items' | 'next'>> {
  const { db, matches, page } = options;
  const { limit, cursor } = page;
  if (limit === 0) return { items: [], next: null };
  const ranges = matches.statuses.flatMap((status) => {
    const from = after({ cursor, status });
    if (!from) return [];
    return matches.sources.map((source): Range => {
      const indexed = allOf([source.scope, sql`i.status = ${status}`, from]);
      return { source, status, indexed, rest: allOf([matches.state, source.shown, source.rest]) };
    });
  });
  // By id: one that is answered between two slices is found twice.
  const found = new Map<string, Row>();
  async function read(some: readonly Range[]): Promise<boolean> {
    const rows = await readRows({ db, matches, ranges: some, limit: limit + 1 - found.size });
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, row);
    return found.size > limit;
  }
  const groups = matches.searching ? Map.groupBy(ranges, ({ status }) => groupOf(status)).values() : [ranges];
  for (const group of groups) {
    if (await readSlices({ db, isSearch: matches.searching, ranges: group, read })) break;
  }
  const rows = [...found.values()];
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const key = last && `${groupOf(last.status)}${last.changed_at}`;
  const next = rows.length > limit && last ? writeCursor({ sort: invitationSort, key: key!, id: last.id }) : null;
  return { items: shown.map((row) => toItem(row, matches)), next };
}

export async function readInvitation(options: {
  db: Reads;
  matches: InvitationMatches;
  id: string;
}): Promise<InvitationItem | undefined> {
  const { db, matches, id } = options;
  const ranges = matches.sources.map((source) => ({ source, indexed: sql`i.id = ${id}`, rest: source.scope }));
  const [row] = await readRows({ db, matches, ranges, limit: 1 });
  return row && toItem(row, matches);
}

/** Of a group of invitations. Both invitations of a pair are counted, each for its role. */
const tallyOf = ({ owner, shown }: Source) => sql`max(i.last_known_name) AS last_known_name,
  max(${owner}) AS last_known_owner, count(*) FILTER (WHERE ${shown}) AS total,
  count(*) FILTER (WHERE i.resource_type IN ('producer', 'both')) AS producer,
  count(*) FILTER (WHERE i.resource_type IN ('consumer', 'both')) AS consumer`;

type Tally = Record<InvitationRole | 'total', number> & Pick<CardRow, 'last_known_name' | 'last_known_owner'>;
type Summary = Pick<InboxSummary, 'total' | 'devices' | 'swarms'>;

const summaryOf = ({ devices, swarms }: { devices: number; swarms: readonly (CardRow & Tally)[] }): Summary => ({
  total: swarms.reduce((sum, { total }) => sum + total, 0),
  devices,
  swarms: swarms.map((row) => ({ ...cardOf(row), producer: row.producer, consumer: row.consumer })),
});

/** All matching invitations, their devices and swarms. */
export async function summarise(options: { db: Reads; matches: InvitationMatches }): Promise<Summary> {
  const { db, matches } = options;
  if (matches.searching) return summariseFound(options);
  const inState = sql`i.status IN (${listOf(matches.statuses)}) AND ${matches.state}`;
  /** Of each source on its own, because grouping rows of both takes twice the time. */
  const found = (columns: (source: Source) => Sql, end = '') =>
    join(
      matches.sources.map((source) => {
        const where = allOf([source.scope, inState, source.rest]);
        return sql`SELECT ${columns(source)} FROM ${source.from} WHERE ${where} ${raw(end)}`;
      }),
      ' UNION ALL ',
    );
  const resources = found(() => raw('i.resource_id'));
  const countDevices = sql`SELECT count(DISTINCT resource_id) AS count FROM (${resources}) device`;
  const swarmsOf = (source: Source) => sql`i.swarm_id, ${tallyOf(source)}`;
  const selectSwarms = sql`SELECT * FROM (SELECT ${cardColumns}, (${matches.seesSwarm}) AS is_visible,
        o.last_known_name, o.last_known_owner, o.total, o.producer, o.consumer
      FROM (SELECT swarm_id, max(last_known_name) AS last_known_name, max(last_known_owner) AS last_known_owner,
          sum(total) AS total, sum(producer) AS producer, sum(consumer) AS consumer
        FROM (${found(swarmsOf, 'GROUP BY i.swarm_id')}) i GROUP BY swarm_id) o
        JOIN swarms s ON s.id = o.swarm_id) card
    ORDER BY lower(CASE WHEN is_visible THEN swarm_name ELSE last_known_name END), swarm_id`;
  const [devices, swarms] = await Promise.all([
    db.read<{ count: number }>(countDevices),
    db.read<CardRow & Tally>(selectSwarms),
  ]);
  return summaryOf({ devices: devices[0]?.count ?? 0, swarms });
}

/** The same for a search, whose rows are read in slices. */
async function summariseFound({ db, matches }: { db: Reads; matches: InvitationMatches }): Promise<Summary> {
  const devices = new Set<string>();
  const tallies = new Map<string, Tally>();
  const ranges = matches.statuses.flatMap((status) =>
    matches.sources.map((source): Range => {
      const indexed = allOf([source.scope, sql`i.status = ${status}`]);
      return { source, status, indexed, rest: allOf([matches.state, source.rest]) };
    }),
  );
  async function read(some: readonly Range[]): Promise<boolean> {
    const selects = some.map(
      ({ source, ...range }) => sql`SELECT i.swarm_id, i.resource_id, ${tallyOf(source)} FROM ${source.from}
        WHERE ${whereOf(range)} GROUP BY i.swarm_id, i.resource_id`,
    );
    for (const row of await db.read<Tally & { swarm_id: string; resource_id: string }>(join(selects, ' UNION ALL '))) {
      const { swarm_id, resource_id, ...tally } = row;
      devices.add(resource_id);
      const before = tallies.get(swarm_id);
      if (!before) tallies.set(swarm_id, tally);
      else for (const name of ['total', 'producer', 'consumer'] as const) before[name] += tally[name];
    }
    return false;
  }
  await readSlices({ db, isSearch: true, ranges, read });
  const cards = await db.read<CardRow>(sql`SELECT ${cardColumns}, (${matches.seesSwarm}) AS is_visible FROM swarms s
    WHERE s.id IN (SELECT value FROM elements(${JSON.stringify([...tallies.keys()])}))`);
  const swarms = cards.map((card) => ({ ...card, ...tallies.get(card.swarm_id)! }));
  const keyOf = (row: CardRow) => (row.is_visible ? row.swarm_name : (row.last_known_name ?? '')).toLowerCase();
  return summaryOf({
    devices: devices.size,
    swarms: swarms.toSorted((a, b) =>
      keyOf(a) < keyOf(b) || (keyOf(a) === keyOf(b) && a.swarm_id < b.swarm_id) ? -1 : 1,
    ),
  });
}

/** The first character of a cursor's key: open invitations come before answered ones. */
function groupOf(status: InvitationRow['status']): '0' | '1' {
  return status === 'new' ? '0' : '1';
}

/** The condition for rows of one status after the cursor. Undefined if no such row comes after it. */
function after(options: { cursor: Cursor | undefined; status: InvitationRow['status'] }): Sql | undefined {
  const { cursor, status } = options;
  if (!cursor || groupOf(status) > cursor.key.slice(0, 1)) return always;
  if (groupOf(status) < cursor.key.slice(0, 1)) return undefined;
  return sql`(i.changed_at, i.id) < (${cursor.key.slice(1)}, ${cursor.id})`;
}

type Row = InvitationRow &
  CardRow & {
    /** Null for a request. */
    other_id: string | null;
    name: string | null;
    machine_type: MachineType;
    longitude: number | null;
    latitude: number | null;
    /** Of the device of a request, when the user asked. */
    asked_name: string | null;
    asked_type: MachineType | null;
  };

/**
 * Each range is read in the order of an index, and no further than the page. Swarms and devices are joined to the
 * page alone; a swarm's members are counted once.
 */
async function readRows(options: {
  db: Reads;
  matches: InvitationMatches;
  ranges: readonly Omit<Range, 'status'>[];
  limit: number;
}): Promise<Row[]> {
  const { db, matches, ranges, limit } = options;
  if (ranges.length === 0) return [];
  const newestOf = ({ source: { from, columns }, ...range }: Omit<Range, 'status'>) =>
    sql`SELECT * FROM (SELECT ${columns} FROM ${from} WHERE ${whereOf(range)} ORDER BY i.changed_at DESC, i.id DESC LIMIT ${limit}) newest`;
  const order = raw(`ORDER BY i.status = 'new' DESC, i.changed_at DESC, i.id DESC`);
  const select = sql`WITH page AS MATERIALIZED (
      SELECT * FROM (${join(ranges.map(newestOf), ' UNION ALL ')}) i ${order} LIMIT ${limit}),
    cards AS MATERIALIZED (
      SELECT ${cardColumns}, (${matches.seesSwarm}) AS is_visible FROM swarms s
      WHERE s.id IN (SELECT swarm_id FROM page))
    SELECT ${columns}, i.last_known_owner, i.label, i.asked_name, i.asked_type, CASE WHEN i.asked_name IS NULL THEN (${otherId}) END AS other_id, c.swarm_owner, c.swarm_name, c.swarm_description, c.swarm_public, c.member_count, c.is_visible, r.name, r.machine_type, r.longitude, r.latitude
    FROM page i JOIN cards c ON c.swarm_id = i.swarm_id
      LEFT JOIN resources r ON r.id = i.resource_id AND i.asked_name IS NULL AND ${matches.seesDevice}
    ${order}`;
  return db.read<Row>(select);
}

function toItem(row: Row, { viewer }: InvitationMatches): InvitationItem {
  const { name, machine_type, longitude, latitude, asked_name, asked_type, other_id, label } = row;
  const position = longitude !== null && latitude !== null && { position: { longitude, latitude } };
  const item = {
    ...invitationOf(row),
    ...(other_id !== null && { resource_type: 'both' as const, other_id }),
    ...(row.to !== viewer && label !== null && { label }),
    changed_at: row.changed_at,
    swarm: cardOf(row),
  };
  return asked_name === null
    ? { ...item, device: name === null ? null : { name, machine_type, ...position } }
    : { ...item, is_request: true, device: { name: asked_name, machine_type: asked_type! } };
}

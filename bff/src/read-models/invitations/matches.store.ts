/** Which invitations and requests a user finds, by box and filters, as SQL. */
import { invitationStates, type Invitation, type InvitationFilters } from '../../contract.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { mayBeginId, searchText, searchWords } from '../../core/store/search-text.ts';
import { allOf, always, join, raw, sql, type Sql } from '../../core/store/statement.ts';
import { isManager, isOfManager, seesDevice, seesMembers } from '../../core/store/visibility.ts';
import type { Reads } from '../caller.ts';

const staleAfterDays = 14;

/** The time before which an open invitation was sent if it is stale. */
export function staleBefore(at: Date): string {
  return new Date(at.getTime() - staleAfterDays * dayMs).toISOString();
}

/** The invitations that this user received or sent, or those to a swarm that the viewer owns or manages. */
export type Scope = { received: string } | { sent: string } | { board: string; viewer: string };

/** Rows `i` of `invitations`, or requests to join with the same columns. */
export interface Source {
  from: Sql;
  columns: Sql;
  /** The swarm's owner as the caller knows it. */
  owner: Sql;
  scope: Sql;
  /** Leaves out the second invitation of a pair, which the first one shows. */
  shown: Sql;
  /** Every filter except the state. The counts by state use these. */
  rest: Sql;
}

/** The invitations and the requests of the caller. */
export interface InvitationMatches {
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

/** How the caller is related to the invitations. */
interface Side {
  /** The column by which they are the caller's, and its value. */
  key: string;
  value: string;
  /** SQL: the names of the other users. */
  other: string;
  isReceived: boolean;
  /** Whether the viewer sees the device and the swarm. */
  seesDevice: Sql;
  seesSwarm: Sql;
  viewer: string;
}

function sideOf(scope: Scope): Side {
  const shared = (viewer: string) => seesDevice({ user: sql`${viewer}`, resource: raw('r.id') });
  if ('board' in scope) {
    const { board: value, viewer } = scope;
    const sees = { seesDevice: shared(viewer), seesSwarm: always };
    return { key: 'i.swarm_id', value, viewer, other: 'i."to"', isReceived: false, ...sees };
  }
  const isReceived = 'received' in scope;
  const user = isReceived ? scope.received : scope.sent;
  const seesSwarm = sql`s.public = 1
    OR ${seesMembers({ user: sql`${user}`, swarm: raw('s.id') })}
    OR EXISTS (SELECT 1 FROM invitations o WHERE o."to" = ${user} AND o.swarm_id = s.id AND o.status = 'new')`;
  const seen = { value: user, viewer: user, isReceived, seesSwarm };
  return isReceived
    ? {
        key: 'i."to"',
        other: `(i."from" || ' ' || coalesce(i.sent_by, ''))`,
        seesDevice: raw('r.user_id = i."to"'),
        ...seen,
      }
    : { key: 'i."from"', other: 'i."to"', seesDevice: shared(user), ...seen };
}

export const columns = raw(
  [
    'id',
    '"from"',
    '"to"',
    'swarm_id',
    'resource_id',
    'resource_type',
    'description',
    'sent_by',
    'ends_at',
    'is_later_end',
    'sent_at',
    'status',
    'accepted_at',
    'rejected_at',
    'created_at',
    'changed_at',
    'last_known_name',
    'joined_by',
  ]
    .map((column) => `i.${column}`)
    .join(', '),
);
/** A source whose filters are not known yet. */
type Rows = Pick<Source, 'from' | 'columns' | 'owner' | 'shown' | 'scope'> & {
  /** SQL: the word is in what the caller sees of the device. */
  ofDevice: (word: string) => Sql;
};

function invitationsIn(scope: Sql, { isReceived, seesDevice, viewer }: Side): Rows {
  const isNamed = (word: string) => sql`EXISTS (SELECT 1 FROM resources r
            WHERE r.id = i.resource_id AND ${seesDevice} AND strpos(r.name_folded, ${word}) > 0)`;
  // The recipient of an invitation does not see its label.
  const isLabelled = (word: string) => sql`i."to" <> ${viewer} AND strpos(i.label_folded, ${word}) > 0`;
  return {
    from: raw('invitations i'),
    owner: raw('i."from"'),
    shown: raw('i.is_second = 0'),
    columns: sql`${columns}, i."from" AS last_known_owner, i.label, NULL AS asked_name, NULL AS asked_type`,
    scope,
    ofDevice: (word) => (isReceived ? isNamed(word) : sql`${isNamed(word)} OR (${isLabelled(word)})`),
  };
}

/**
 * Requests to join, as if they were invitations to the owner of the swarm, or to nobody if the caller does not see the
 * swarm any more. Those that were withdrawn are not shown.
 */
const requestsIn = (scope: Sql, { seesSwarm }: Side): Rows => ({
  from: sql`(SELECT q.id, q.user_id AS "from", CASE WHEN ${seesSwarm} THEN s.user_id ELSE '' END AS "to", q.swarm_id, q.resource_id, q.resource_type,
      q.message AS description, q.user_id AS sent_by, q.ends_at, 0 AS is_later_end, q.asked_at AS sent_at, q.status,
      CASE WHEN q.status = 'accepted' THEN q.ended_at END AS accepted_at,
      CASE WHEN q.status = 'rejected' THEN q.ended_at END AS rejected_at, q.asked_at AS created_at, q.changed_at,
      q.swarm_name AS last_known_name, NULL AS link_id, NULL AS joined_by, q.resource_name AS asked_name, q.machine_type AS asked_type,
      q.resource_folded
    FROM join_requests q JOIN swarms s ON s.id = q.swarm_id AND s.user_id <> '' WHERE q.status <> 'withdrawn') i`,
  owner: raw('i."to"'),
  shown: always,
  columns: sql`${columns}, i."to" AS last_known_owner, NULL AS label, i.asked_name, i.asked_type`,
  scope,
  ofDevice: (word) => sql`strpos(i.resource_folded, ${word}) > 0`,
});

/** The rows of a board are invitations; those of a box are the user's invitations and requests. */
function rowsOf(scope: Scope, { swarm, resource }: InvitationFilters): Rows[] {
  const side = sideOf(scope);
  const { key, value } = side;
  // A resource has few invitations, so its index is used instead of the one by user.
  const own: Sql = sql`${raw(resource === undefined ? key : `${key} || ''`)} = ${value}`;
  if ('board' in scope) return [invitationsIn(own, side)];
  // In a box, a request that was accepted is shown as such.
  const invited = (mine: Sql) => sql`${mine} AND i.joined_by IS DISTINCT FROM 'request'`;
  if ('received' in scope) {
    // A manager's own request is for the others to answer.
    const managed = sql`i.swarm_id IN (SELECT id FROM swarms WHERE user_id = ${value}
    UNION ALL SELECT swarm_id FROM managers WHERE user_id = ${value} AND ${raw(isOfManager('managers'))}) AND i."from" <> ${value}`;
    return [invitationsIn(invited(own), side), requestsIn(managed, side)];
  }
  // The invitations of a swarm that the user manages are from its owner.
  const sentForOwner =
    swarm === undefined
      ? own
      : sql`(${own} OR (i.swarm_id = ${swarm} AND ${isManager({ user: sql`${value}`, swarm: sql`${swarm}` })}))`;
  return [invitationsIn(invited(sentForOwner), side), requestsIn(own, side)];
}

/** The filters as SQL. The names of swarms are searched before, once for all slices. */
export async function invitationMatchesOf(options: {
  db: Reads;
  scope: Scope;
  filters: InvitationFilters;
  staleBefore: string;
}): Promise<InvitationMatches> {
  const { db, scope, filters, staleBefore } = options;
  const { viewer, other, seesDevice, seesSwarm } = sideOf(scope);
  const { state, q, swarm, resource, link, until } = filters;
  const rows = rowsOf(scope, filters);
  const rest: Sql[] = [
    swarm === undefined ? always : sql`i.swarm_id = ${swarm}`,
    resource === undefined ? always : sql`i.resource_id = ${resource}`,
    link === undefined ? always : sql`i.link_id = ${link}`,
    until === undefined ? always : sql`i.changed_at <= ${until}`,
  ];
  const words = searchWords(q ?? '');
  const named = words.length === 0 || 'board' in scope ? [] : await swarmNames({ db, rows, seesSwarm, words });
  const sources = rows.map(({ ofDevice, ...source }): Source => {
    const containing = words.map((word) => {
      const swarms = named.filter(({ found }) => found.has(word));
      return isIn({ word, other, device: ofDevice(word), swarms });
    });
    return { ...source, rest: allOf([...rest, ...containing]) };
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
  rows: readonly Pick<Rows, 'from' | 'scope'>[];
  seesSwarm: Sql;
  words: readonly string[];
}): Promise<SearchedName[]> {
  const { db, rows, seesSwarm, words } = options;
  const selectOf = (columns: string, condition = always) =>
    join(
      rows.map(({ from, scope }) => sql`SELECT ${raw(columns)} FROM ${from} WHERE ${scope} AND ${condition}`),
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

/** The word is in the names of the other users, of one of these swarms or of the device, or begins the device's id. */
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
  const inState = (...statuses: Invitation['status'][]) => ({ statuses, state: always });
  if (state === undefined) return inState(...invitationStates);
  if (state === 'answered') return inState('accepted', 'rejected');
  if (state === 'stale') return { ...inState('new'), state: sentBefore(staleBefore) };
  return inState(state);
}

/** An open invitation last changed when it was sent. `changed_at` has an index. */
export function sentBefore(time: string): Sql {
  return sql`i.changed_at < ${time}`;
}

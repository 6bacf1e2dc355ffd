/** Pages of invitations, with their swarms and devices. */
import type { InvitationItem, InvitationPage, MachineType } from '../../contract.ts';
import { writeCursor, type Cursor } from '../../core/http/query.ts';
import { invitationOf } from '../../core/store/invitation-record.ts';
import type { InvitationRow } from '../../core/store/row-types.ts';
import { isOpen } from '../../core/store/visibility.ts';
import { allOf, always, join, raw, sql, type Sql } from '../../core/store/statement.ts';
import type { Reads } from '../caller.ts';
import { countInvitations, totalOf } from './counts.store.ts';
import { columns, invitationMatchesOf, staleBefore, type InvitationMatches, type Scope } from './matches.store.ts';
import { invitationSort, type InvitationQuery } from './query.ts';
import { readSlices, whereOf, type Range } from './slices.store.ts';
import { cardColumns, cardOf, type CardRow } from './swarm-card.store.ts';

/** A page, with the numbers of invitations in each state. */
export async function readPage({
  db,
  scope,
  query,
  at,
}: {
  db: Reads;
  scope: Scope;
  query: InvitationQuery;
  at: Date;
}): Promise<InvitationPage> {
  const stale_before = staleBefore(at);
  const matches = await invitationMatchesOf({ db, scope, filters: query.filters, staleBefore: stale_before });
  const [counts, rows] = await Promise.all([
    countInvitations({ db, matches, staleBefore: stale_before }),
    readInvitations({ db, matches, page: query }),
  ]);
  return { ...rows, total: totalOf(counts, query.filters.state), counts, stale_before, at: at.toISOString() };
}

/** One page: open invitations first, then by the newest change. */
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
  // By id, because an invitation that is answered between two slices is found twice.
  const found = new Map<string, Row>();
  async function read(slice: readonly Range[]): Promise<boolean> {
    const rows = await readRows({ db, matches, ranges: slice, limit: limit + 1 - found.size });
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

export async function readInvitation({
  db,
  scope,
  id,
  staleBefore,
}: {
  db: Reads;
  scope: Scope;
  id: string;
  staleBefore: string;
}): Promise<InvitationItem | undefined> {
  const matches = await invitationMatchesOf({ db, scope, filters: {}, staleBefore });
  const ranges = matches.sources.map((source) => ({ source, indexed: sql`i.id = ${id}`, rest: source.scope }));
  const [row] = await readRows({ db, matches, ranges, limit: 1 });
  return row && toItem(row, matches);
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

type MemberEnds = Pick<InvitationItem, 'member_ends_at' | 'other_role_ends_at' | 'membership_ends_at'>;

type Row = InvitationRow &
  CardRow & {
    /** Null for a request. */
    other_id: string | null;
    /** The end that `memberEnd` selects. */
    member_end: string | null;
    /** 1: it offered a later end, and was answered or has expired. */
    was_later_end: number;
    /** What `isFormerDevice` selects. */
    is_former_device: number;
    name: string | null;
    machine_type: MachineType;
    longitude: number | null;
    latitude: number | null;
    /** The name and the type of a request's device at the time when the user asked. */
    asked_name: string | null;
    asked_type: MachineType | null;
  };

/**
 * SQL: the id of the invitation as consumer that a row `i` of `invitations` shows too. `|| ''` keeps SQLite from using the
 * board's index, which finds all that were sent at once.
 */
const otherId = raw(`SELECT min(other.id) FROM invitations other WHERE other.is_second = 1
  AND other.swarm_id = i.swarm_id AND other.resource_id = i.resource_id AND other.changed_at = i.changed_at
  AND other.status || '' = i.status AND i.resource_type = 'producer'`);

/**
 * SQL: the end of the membership that the device of an open or accepted row `i` of `invitations` has, after `=` if it has the role and `+` if
 * it has only the other one.
 */
const memberEnd = raw(`CASE WHEN i.status IN ('new', 'accepted') THEN (SELECT
    CASE WHEN m.resource_type IN (i.resource_type, 'both') THEN '=' ELSE '+' END || coalesce(m.ends_at, '')
  FROM memberships m WHERE m.swarm_id = i.swarm_id AND m.resource_id = i.resource_id AND ${isOpen('m')}) END`);

/** SQL: 1 if the row `i` was answered, and the recipient of the invitation does not own the device any more. */
const isFormerDevice = raw(`CASE WHEN i.status <> 'new' AND i.asked_name IS NULL AND NOT EXISTS
  (SELECT 1 FROM resources theirs WHERE theirs.id = i.resource_id AND theirs.user_id = i."to") THEN 1 ELSE 0 END`);

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
    SELECT ${columns}, i.last_known_owner, i.label, i.asked_name, i.asked_type, CASE WHEN i.asked_name IS NULL THEN (${otherId}) END AS other_id, ${memberEnd} AS member_end, ${isFormerDevice} AS is_former_device, CASE WHEN i.status = 'new' AND i.ends_at > time_now() THEN 0 ELSE i.is_later_end END AS was_later_end, c.swarm_owner, c.swarm_name, c.swarm_description, c.swarm_public, c.member_count, c.is_visible, r.name, r.machine_type, r.longitude, r.latitude
    FROM page i JOIN cards c ON c.swarm_id = i.swarm_id
      LEFT JOIN resources r ON r.id = i.resource_id
        AND CASE WHEN i.asked_name IS NULL THEN ${matches.seesDevice} ELSE r.user_id = i."from" END
    ${order}`;
  return db.read<Row>(select);
}

function endOfMember({ status, member_end, ends_at, name }: Row): MemberEnds {
  if (member_end === null) return {};
  const end = member_end.slice(1) || null;
  const hasRole = member_end.startsWith('=');
  // Who does not see the device any more has no name of it. Of a request, the user who asked does not own it any more.
  if (status === 'accepted') return hasRole && end !== null && name !== null ? { membership_ends_at: end } : {};
  if (!hasRole) return { other_role_ends_at: end };
  return end === null || ends_at === null ? {} : { member_ends_at: end };
}

function toItem(row: Row, { viewer }: InvitationMatches): InvitationItem {
  const { name, machine_type, longitude, latitude, asked_name, asked_type, other_id, label, was_later_end } = row;
  const end = endOfMember(row);
  const position = longitude !== null && latitude !== null && { position: { longitude, latitude } };
  const item = {
    ...invitationOf(row),
    sent_by: row.sent_by,
    ...(row.joined_by !== null && { joined_by: row.joined_by }),
    ...(other_id !== null && { resource_type: 'both' as const, other_id }),
    ...end,
    ...((end.member_ends_at !== undefined || (was_later_end === 1 && other_id === null)) && {
      is_later_end: true as const,
    }),
    ...(row.is_former_device === 1 && { is_former_device: true as const }),
    ...(row.to !== viewer && label !== null && { label }),
    changed_at: row.changed_at,
    swarm: cardOf(row),
  };
  return asked_name === null
    ? { ...item, device: name === null ? null : { name, machine_type, ...position } }
    : { ...item, is_request: true, device: { name: asked_name, machine_type: asked_type! } };
}

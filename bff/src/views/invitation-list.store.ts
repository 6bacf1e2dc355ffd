import type {
  InboxSummary,
  InvitationCounts,
  InvitationItem,
  InvitationPage,
  InvitationRole,
  MachineType,
} from '../contract.ts';
import { allOf, always, join, listOf, raw, sql } from '../store/statement.ts';
import type { Sql } from '../store/statement.ts';
import type { InvitationRow } from '../store/tables.ts';
import type { Reads } from './caller.ts';
import { invitationSort } from './invitation-filters.ts';
import type { InvitationQuery } from './invitation-filters.ts';
import { sentBefore } from './invitation-matches.store.ts';
import type { InvitationMatches } from './invitation-matches.store.ts';
import { writeCursor } from './query-reader.ts';

/** The columns of a row `s` of `swarms` that its card has. */
const cardColumns = raw(`s.id AS swarm_id, s.user_id AS swarm_owner, s.name AS swarm_name,
  s.description AS swarm_description, s.public AS swarm_public,
  (SELECT coalesce(sum(v.resources), 0) FROM swarm_viewers v WHERE v.swarm_id = s.id) AS member_count`);

interface CardRow {
  swarm_id: string;
  swarm_owner: string;
  swarm_name: string;
  swarm_description: string;
  swarm_public: number;
  member_count: number;
}

function cardOf(row: CardRow): InvitationItem['swarm'] {
  return {
    id: row.swarm_id,
    user_id: row.swarm_owner,
    name: row.swarm_name,
    description: row.swarm_description,
    public: row.swarm_public === 1,
    member_count: row.member_count,
  };
}

/** How many there are in each state, of all that match but for the state. */
export async function countInvitations(options: {
  db: Reads;
  matches: InvitationMatches;
  staleBefore: string;
}): Promise<InvitationCounts> {
  const { db, matches, staleBefore } = options;
  const all = allOf([matches.scope, matches.rest]);
  const stale = matches.searching ? staleOfRows(staleBefore) : staleByIndex({ matches, staleBefore });
  const select = sql`SELECT count(*) FILTER (WHERE i.status = 'new') AS new,
       count(*) FILTER (WHERE i.status = 'accepted') AS accepted,
       count(*) FILTER (WHERE i.status = 'rejected') AS rejected, ${stale} AS stale
     FROM invitations i WHERE ${all}`;
  const [counts] = await db.read<InvitationCounts>(select);
  return { ...counts! };
}

function staleOfRows(staleBefore: string): Sql {
  return sql`count(*) FILTER (WHERE i.status = 'new' AND i.sent_at < ${staleBefore})`;
}

/** The other counts then read an index alone. */
function staleByIndex(options: { matches: Pick<InvitationMatches, 'scope' | 'rest'>; staleBefore: string }): Sql {
  const { matches, staleBefore } = options;
  const open = raw(`i.status = 'new'`);
  const all = allOf([matches.scope, open, sentBefore(staleBefore), matches.rest]);
  return sql`(SELECT count(*) FROM invitations i WHERE ${all})`;
}

export function totalOf(counts: InvitationCounts, state: InvitationQuery['filters']['state']): number {
  if (state === undefined) return counts.new + counts.accepted + counts.rejected;
  return state === 'answered' ? counts.accepted + counts.rejected : counts[state];
}

/** One page: open ones first, then by the newest change. */
export async function readInvitations(options: {
  db: Reads;
  matches: InvitationMatches;
  page: Pick<InvitationQuery, 'cursor' | 'limit'>;
}): Promise<Pick<InvitationPage, 'items' | 'next'>> {
  const { db, matches, page } = options;
  const { limit, cursor } = page;
  if (limit === 0) return { items: [], next: null };
  const ranges = matches.statuses.flatMap((status) => {
    const from = after({ cursor, status });
    const own = sql`i.status = ${status}`;
    return from ? [allOf([matches.scope, own, matches.state, from, matches.rest])] : [];
  });
  const rows = await readRows({ db, matches, ranges, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const key = last && `${sideOf(last.status)}${last.changed_at}`;
  const next = rows.length > limit && last ? writeCursor({ sort: invitationSort, key: key!, id: last.id }) : null;
  return { items: shown.map(toItem), next };
}

export async function readInvitation(options: {
  db: Reads;
  matches: InvitationMatches;
  id: string;
}): Promise<InvitationItem | undefined> {
  const { db, matches, id } = options;
  const where = allOf([sql`i.id = ${id}`, matches.scope]);
  const [row] = await readRows({ db, matches, ranges: [where], limit: 1 });
  return row && toItem(row);
}

/** What answering all of them is about. */
export async function summarise(options: {
  db: Reads;
  matches: InvitationMatches;
}): Promise<Pick<InboxSummary, 'devices' | 'swarms'>> {
  const { db, matches } = options;
  const asOne = sql`i.status IN (${listOf(matches.statuses)})`;
  const from = sql`FROM invitations i WHERE ${allOf([matches.scope, asOne, matches.state, matches.rest])}`;
  const countDevices = sql`SELECT count(DISTINCT i.resource_id) AS count ${from}`;
  const selectSwarms = sql`SELECT ${cardColumns}, o.producer, o.consumer
    FROM (SELECT i.swarm_id, count(*) FILTER (WHERE i.resource_type = 'producer') AS producer,
            count(*) FILTER (WHERE i.resource_type = 'consumer') AS consumer ${from} GROUP BY i.swarm_id) o
      JOIN swarms s ON s.id = o.swarm_id ORDER BY lower(s.name), s.id`;
  const [devices, swarms] = await Promise.all([
    db.read<{ count: number }>(countDevices),
    db.read<CardRow & Record<InvitationRole, number>>(selectSwarms),
  ]);
  const cards = swarms.map((row) => ({ ...cardOf(row), producer: row.producer, consumer: row.consumer }));
  return { devices: devices[0]?.count ?? 0, swarms: cards };
}

/** Open ones stand before answered ones: the first character of a cursor's key. */
function sideOf(status: InvitationRow['status']): '0' | '1' {
  return status === 'new' ? '0' : '1';
}

/** What comes after the cursor among those of one status; undefined: none of them does. */
function after(options: { cursor: InvitationQuery['cursor']; status: InvitationRow['status'] }): Sql | undefined {
  const { cursor, status } = options;
  if (!cursor || sideOf(status) > cursor.key.slice(0, 1)) return always;
  if (sideOf(status) < cursor.key.slice(0, 1)) return undefined;
  return sql`(i.changed_at, i.id) < (${cursor.key.slice(1)}, ${cursor.id})`;
}

type Row = InvitationRow &
  CardRow & {
    name: string | null;
    machine_type: MachineType;
    longitude: number | null;
    latitude: number | null;
  };

/**
 * Each range is read in the order of an index, and no further than the page. Swarms and devices are joined to the
 * page alone; a swarm's members are counted once.
 */
async function readRows(options: { db: Reads; matches: InvitationMatches; ranges: Sql[]; limit: number }) {
  const { db, matches, ranges, limit } = options;
  if (ranges.length === 0) return [];
  const newestOf = (where: Sql) =>
    sql`SELECT * FROM (SELECT i.* FROM invitations i WHERE ${where} ORDER BY i.changed_at DESC, i.id DESC LIMIT ${limit}) newest`;
  const order = raw(`ORDER BY i.status = 'new' DESC, i.changed_at DESC, i.id DESC`);
  const select = sql`WITH page AS MATERIALIZED (
      SELECT i.* FROM (${join(ranges.map(newestOf), ' UNION ALL ')}) i ${order} LIMIT ${limit}),
    cards AS MATERIALIZED (
      SELECT ${cardColumns} FROM swarms s WHERE s.id IN (SELECT swarm_id FROM page))
    SELECT i.*, c.swarm_owner, c.swarm_name, c.swarm_description, c.swarm_public, c.member_count, r.name, r.machine_type, r.longitude, r.latitude
    FROM page i JOIN cards c ON c.swarm_id = i.swarm_id
      LEFT JOIN resources r ON r.id = i.resource_id AND ${raw(matches.seesDevice)}
    ${order}`;
  return db.read<Row>(select);
}

function toItem(row: Row): InvitationItem {
  const { name, machine_type, longitude, latitude } = row;
  const position = longitude !== null && latitude !== null && { position: { longitude, latitude } };
  return {
    id: row.id,
    from: row.from,
    to: row.to,
    swarm_id: row.swarm_id,
    resource_id: row.resource_id,
    resource_type: row.resource_type,
    ...(row.description !== null && { description: row.description }),
    sent_at: row.sent_at,
    status: row.status,
    ...(row.accepted_at !== null && { accepted_at: row.accepted_at }),
    ...(row.rejected_at !== null && { rejected_at: row.rejected_at }),
    changed_at: row.changed_at,
    swarm: cardOf(row),
    device: name === null ? null : { name, machine_type, ...position },
  };
}

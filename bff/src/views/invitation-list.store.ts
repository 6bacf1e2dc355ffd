import type { InboxSummary, InvitationCounts, InvitationItem, InvitationPage, MachineType } from '../contract.ts';
import type { Database } from '../storage/database.ts';
import type { InvitationRow } from '../storage/tables.ts';
import { invitationSort } from './invitation-filters.ts';
import type { InvitationQuery } from './invitation-filters.ts';
import { allOf } from './invitation-matches.store.ts';
import type { InvitationMatches } from './invitation-matches.store.ts';
import type { Condition } from './matches.store.ts';
import { writeCursor } from './query-reader.ts';

const cardFields = `'id', s.id, 'user_id', s.user_id, 'name', s.name, 'description', s.description,
  'public', json(iif(s.public, 'true', 'false')), 'member_count',
  (SELECT coalesce(sum(v.resources), 0) FROM swarm_viewers v WHERE v.swarm_id = s.id)`;

/** How many there are in each state, of all that match but for the state. */
export async function countInvitations(asked: {
  db: Database;
  matches: Pick<InvitationMatches, 'scope' | 'rest'>;
  staleBefore: string;
}): Promise<InvitationCounts> {
  const { db, matches, staleBefore } = asked;
  const { sql, params } = allOf([matches.scope, matches.rest]);
  const [counts] = await db.query<InvitationCounts>(
    `SELECT count(*) FILTER (WHERE i.status = 'new') AS new,
       count(*) FILTER (WHERE i.status = 'accepted') AS accepted,
       count(*) FILTER (WHERE i.status = 'rejected') AS rejected,
       count(*) FILTER (WHERE i.status = 'new' AND i.sent_at < ?) AS stale
     FROM invitations i WHERE ${sql}`,
    [staleBefore, ...params],
  );
  return { ...counts! };
}

export function totalOf(counts: InvitationCounts, state: InvitationQuery['filters']['state']): number {
  if (state === undefined) return counts.new + counts.accepted + counts.rejected;
  return state === 'answered' ? counts.accepted + counts.rejected : counts[state];
}

/** One page: open ones first, then by the newest change. */
export async function readInvitations(asked: {
  db: Database;
  matches: InvitationMatches;
  page: Pick<InvitationQuery, 'cursor' | 'limit'>;
}): Promise<Pick<InvitationPage, 'items' | 'next'>> {
  const { db, matches, page } = asked;
  const { limit, cursor } = page;
  if (limit === 0) return { items: [], next: null };
  const { waiting, ...state } = matches.state;
  const all = allOf([matches.scope, matches.rest, state, ...side(waiting), ...after({ cursor, waiting })]);
  const rows = await readRows({ db, matches, where: all, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const key = last && `${last.waiting}${last.changed_at}`;
  const next = rows.length > limit && last ? writeCursor({ sort: invitationSort, key: key!, id: last.id }) : null;
  return { items: shown.map(toItem), next };
}

export async function readInvitation(asked: {
  db: Database;
  matches: InvitationMatches;
  id: string;
}): Promise<InvitationItem | undefined> {
  const { db, matches, id } = asked;
  const where = allOf([{ sql: 'i.id = ?', params: [id] }, matches.scope]);
  const [row] = await readRows({ db, matches, where, limit: 1 });
  return row && toItem(row);
}

/** What answering all of them is about. */
export async function summarise(asked: {
  db: Database;
  matches: InvitationMatches;
}): Promise<Pick<InboxSummary, 'devices' | 'swarms'>> {
  const { db, matches } = asked;
  const { waiting, ...state } = matches.state;
  const { sql, params } = allOf([matches.scope, matches.rest, state, ...side(waiting)]);
  const from = `FROM invitations i WHERE ${sql}`;
  const [devices, swarms] = await Promise.all([
    db.query<{ count: number }>(`SELECT count(DISTINCT i.resource_id) AS count ${from}`, params),
    db.query<{ json: string }>(
      `SELECT json_object(${cardFields}, 'producer', o.producer, 'consumer', o.consumer) AS json
       FROM (SELECT i.swarm_id, count(*) FILTER (WHERE i.resource_type = 'producer') AS producer,
               count(*) FILTER (WHERE i.resource_type = 'consumer') AS consumer ${from} GROUP BY i.swarm_id) o
         JOIN swarms s ON s.id = o.swarm_id ORDER BY lower(s.name), s.id`,
      params,
    ),
  ]);
  const parsed = swarms.map(({ json }) => JSON.parse(json) as InboxSummary['swarms'][number]);
  return { devices: devices[0]?.count ?? 0, swarms: parsed };
}

function side(waiting: 0 | 1 | undefined): Condition[] {
  return waiting === undefined ? [] : [{ sql: 'i.waiting = ?', params: [waiting] }];
}

/** Where one side is all that is asked for, its rows are one range of the index, and so is what comes after one. */
function after(asked: { cursor: InvitationQuery['cursor']; waiting: 0 | 1 | undefined }): Condition[] {
  const { cursor, waiting } = asked;
  if (!cursor) return [];
  const at = [cursor.key.slice(1), cursor.id];
  if (waiting !== undefined) return [{ sql: '(i.changed_at, i.id) < (?, ?)', params: at }];
  return [{ sql: '(i.waiting, i.changed_at, i.id) < (?, ?, ?)', params: [Number(cursor.key[0]), ...at] }];
}

type Row = InvitationRow & {
  swarm: string;
  name: string | null;
  machine_type: MachineType;
  longitude: number | null;
  latitude: number | null;
};

/** Swarms and devices are joined to the page alone, after the limit; a swarm's members are counted once. */
function readRows(asked: { db: Database; matches: InvitationMatches; where: Condition; limit: number }) {
  const { db, matches, where, limit } = asked;
  const select = `WITH page AS MATERIALIZED (
      SELECT i.* FROM invitations i WHERE ${where.sql}
      ORDER BY i.waiting DESC, i.changed_at DESC, i.id DESC LIMIT ?),
    cards AS MATERIALIZED (
      SELECT s.id, json_object(${cardFields}) AS swarm FROM swarms s WHERE s.id IN (SELECT swarm_id FROM page))
    SELECT i.*, c.swarm, r.name, r.machine_type, r.longitude, r.latitude
    FROM page i JOIN cards c ON c.id = i.swarm_id
      LEFT JOIN resources r ON r.id = i.resource_id AND ${matches.seesDevice}
    ORDER BY i.waiting DESC, i.changed_at DESC, i.id DESC`;
  return db.query<Row>(select, [...where.params, limit]);
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
    swarm: JSON.parse(row.swarm) as InvitationItem['swarm'],
    device: name === null ? null : { name, machine_type, ...position },
  };
}

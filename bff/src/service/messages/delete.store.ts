/** Deletes messages in small commits, and notes what somebody may not have received. */
import { isOfSender, isOfSenderTo, senderPart } from '../../store/messages-of-sender.ts';
import { always, join, listOf, raw, sql, type Sql, type Statement } from '../../store/statement.ts';
import type { Database } from '../../store/database.ts';
import type { FeedRow } from '../../store/row-types.ts';

/** Rows that are deleted in one commit. */
const deletedAtOnce = 500;

/** Messages that a job has not read, which reads all of them. */
export interface UnreadMessages {
  /** The number up to which messages have been read. */
  cursor: () => number;
  /** Messages are about to be deleted, here or in other processes: some of those that were not read may be next. */
  due: () => void;
  /** Ends when those that were sent before the call have been read, here or in another process, or after some seconds. */
  read: (stopping: AbortSignal) => Promise<void>;
  /** Counts those among these. In the write that deletes them. */
  noteDeleted: (of: Sql) => Statement;
}

/** What a deletion needs. It ends early when the server stops; the hourly one goes on. */
export interface DeletionParts {
  db: Database;
  unread: UnreadMessages;
  stopping: AbortSignal;
}

/** It is not the last message of a member to its swarm, which is kept. */
export const isReplaced = sql`(EXISTS (SELECT 1 FROM messages later WHERE later.seq > messages.seq
      AND ${isOfSenderTo('later', { sender: raw('messages.sender_id'), swarm: raw('messages.swarm_id') })})
  OR NOT EXISTS (SELECT 1 FROM memberships m
    WHERE m.swarm_id = messages.swarm_id AND m.resource_id = messages.sender_id))`;

/**
 * Notes of the messages that are deleted, for each swarm and recipient ('' for all), the newest one and the newest one of
 * another sender: a receiver that resumes before it has missed something, unless it has sent it.
 */
const noteGaps = (of: Sql) => sql`INSERT INTO message_gaps (swarm_id, to_id, seq, sender_id, other_seq)
  SELECT swarm_id, to_id, seq, sender_id, coalesce(other_seq, 0) FROM (
    SELECT swarm_id, to_id, seq, sender_id, row_number() OVER newest AS place, lead(seq) OVER newest AS other_seq FROM (
      SELECT swarm_id, coalesce(to_id, '') AS to_id, sender_id, max(seq) AS seq FROM messages WHERE ${of}
        GROUP BY swarm_id, coalesce(to_id, ''), sender_id) gone
    WINDOW newest AS (PARTITION BY swarm_id, to_id ORDER BY seq DESC)) ordered
  WHERE place = 1 ORDER BY swarm_id, to_id
  ON CONFLICT (swarm_id, to_id) DO UPDATE SET seq = greatest(message_gaps.seq, excluded.seq),
    sender_id = CASE WHEN excluded.seq > message_gaps.seq THEN excluded.sender_id ELSE message_gaps.sender_id END,
    other_seq = greatest(message_gaps.other_seq, excluded.other_seq, CASE
      WHEN excluded.sender_id <> message_gaps.sender_id THEN least(message_gaps.seq, excluded.seq) ELSE 0 END)`;

/** Notes the newest number of the messages that are deleted, which a receiver may have, for all swarms together. */
const noteNewest = (of: Sql) => sql`INSERT INTO message_gaps (swarm_id, to_id, seq, sender_id, other_seq)
  SELECT '', '', max(seq), '', 0 FROM messages WHERE ${of} HAVING max(seq) > 0
  ON CONFLICT (swarm_id, to_id) DO UPDATE SET seq = greatest(message_gaps.seq, excluded.seq)`;

/**
 * To whom messages belong, and the entry after whose commit they are deleted. As SQL: what an index has of an id (`part`), a row of
 * `messages` belongs to one that is there (`isOf`), and so do all of one of these `ids` (`hasAll`).
 */
export const owners = [
  {
    column: raw('sender_id'),
    part: senderPart,
    ended: 'resource.destroyed',
    idOf: (entry: FeedRow) => entry.resource_id!,
    // To another owner, it is another sender.
    isOf: sql`EXISTS (SELECT 1 FROM resources r WHERE r.id = messages.sender_id AND (r.owner_since IS NULL OR r.user_id = messages.user_id))`,
    hasAll: sql`EXISTS (SELECT 1 FROM resources r WHERE r.id = ids.id AND (r.owner_since IS NULL
      OR NOT EXISTS (SELECT 1 FROM messages m WHERE ${isOfSender('m', raw('r.id'))} AND m.user_id IS DISTINCT FROM r.user_id)))`,
  },
  {
    column: raw('swarm_id'),
    part: (id: Sql) => id,
    ended: 'swarm.destroyed',
    idOf: (entry: FeedRow) => entry.swarm_id!,
    isOf: sql`EXISTS (SELECT 1 FROM swarms s WHERE s.id = messages.swarm_id AND s.user_id <> '')`,
    hasAll: sql`EXISTS (SELECT 1 FROM swarms s WHERE s.id = ids.id AND s.user_id <> '')`,
  },
] as const;

export type Owner = (typeof owners)[number];

/** Deletes messages up to a number. `isReceived`: somebody may not have received them. */
async function deleteSent(
  { db, unread }: DeletionParts,
  of: Sql,
  { upTo, isReceived = true }: { upTo: number; isReceived?: boolean },
): Promise<void> {
  const missed = upTo > unread.cursor() ? [unread.noteDeleted(of)] : [];
  const gaps = isReceived ? [noteGaps(of)] : [];
  await db.write([...missed, ...gaps, noteNewest(of), sql`DELETE FROM messages WHERE ${of}`]);
}

const among = (rows: readonly { seq: number }[]): Sql =>
  sql`seq IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(rows.map(({ seq }) => seq))}))`;

const newestOf = (rows: readonly { seq: number }[]): number => Math.max(...rows.map(({ seq }) => seq));

export async function deleteRows(parts: DeletionParts, rows: readonly { seq: number }[]): Promise<void> {
  for (let from = 0; from < rows.length && !parts.stopping.aborted; from += deletedAtOnce) {
    const some = rows.slice(from, from + deletedAtOnce);
    await deleteSent(parts, among(some), { upTo: newestOf(some) });
  }
}

/** Deletes the replaced messages that were sent before a time. */
export async function deleteReplaced(parts: DeletionParts, sentBefore: string): Promise<void> {
  const { db, stopping } = parts;
  for (let after = 0; ;) {
    const [part] = await db.read<{ seq: number | null; oldest: string }>(
      sql`SELECT max(seq) AS seq, min(sent_at) AS oldest FROM (SELECT seq, sent_at FROM messages
        WHERE seq > ${after} ORDER BY seq LIMIT ${deletedAtOnce}) part`,
    );
    if (stopping.aborted || !part || part.seq === null || part.oldest >= sentBefore) return;
    const replaced = sql`seq > ${after} AND seq <= ${part.seq} AND sent_at < ${sentBefore} AND ${isReplaced}`;
    // A write that deletes nothing would be a commit too.
    const [one] = await db.read({ ...sql`SELECT 1 FROM messages WHERE ${replaced} LIMIT 1`, isLong: true });
    if (one) await deleteSent(parts, replaced, { upTo: part.seq });
    after = part.seq;
  }
}

/** Deletes all messages of senders or swarms that do not exist, or belong to another user now. One that was restored keeps what is left. */
export async function deleteOf(parts: DeletionParts, owner: Owner, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length && !parts.stopping.aborted; from += deletedAtOnce)
    await deleteOfSome(parts, owner, ids.slice(from, from + deletedAtOnce));
}

/** Of `deletedAtOnce` at most: PostgreSQL takes each JSON array for a hundred ids, and would read the whole table for one. */
async function deleteOfSome(
  parts: DeletionParts,
  { column, part, ended, isOf }: Owner,
  ids: readonly string[],
): Promise<void> {
  const { db, unread, stopping } = parts;
  // Who has sent them is still there: the members of a swarm, or a device that was handed over.
  const [left] = await db.read(sql`SELECT 1 FROM resources WHERE id IN (${listOf(ids)}) LIMIT 1`);
  if (ended === 'swarm.destroyed' || left) await unread.read(stopping);
  const partsOfIds = ids.map((id) => part(sql`${id}`));
  const of = sql`${part(column)} IN (${join(partsOfIds, ', ')}) AND ${column} IN (${listOf(ids)}) AND NOT ${isOf}`;
  while (!stopping.aborted) {
    const rows = await db.read<{ seq: number }>(sql`SELECT seq FROM messages WHERE ${of} LIMIT ${deletedAtOnce}`);
    if (rows.length === 0) return;
    // What was restored in between stays. Nobody receives from a swarm that has ended.
    const some = sql`${among(rows)} AND NOT ${isOf}`;
    await deleteSent(parts, some, { upTo: newestOf(rows), isReceived: ended !== 'swarm.destroyed' });
  }
}

/** Deletes what interrupted deletions have left, and the notes about what nobody can receive any more. */
export async function deleteLeft(parts: DeletionParts): Promise<void> {
  const { db } = parts;
  for (const owner of owners) {
    const { column, part, hasAll } = owner;
    // Goes from one id to the next, so that it does not read all messages. Of two senders with the same part, it reads one.
    const next = (which: Sql) => sql`SELECT ${column} FROM messages WHERE ${which} ORDER BY ${part(column)} LIMIT 1`;
    const orphans = sql`WITH RECURSIVE ids(id) AS (SELECT (${next(always)}) UNION ALL
        SELECT (${next(sql`${part(column)} > ${part(raw('ids.id'))}`)}) FROM ids WHERE ids.id IS NOT NULL)
      SELECT id FROM ids WHERE id IS NOT NULL AND NOT ${hasAll}`;
    const rows = await db.read<{ id: string }>({ ...orphans, isLong: true });
    await deleteOf(
      parts,
      owner,
      rows.map(({ id }) => id),
    );
  }
  await deleteEndedGaps(parts);
}

/** Nobody can receive what such a gap is about any more. */
const isEndedGap = sql`CASE WHEN to_id = '' THEN NOT EXISTS (SELECT 1 FROM swarms WHERE id = swarm_id)
  ELSE NOT EXISTS (SELECT 1 FROM memberships m WHERE m.swarm_id = message_gaps.swarm_id AND resource_id = to_id) END`;

async function deleteEndedGaps({ db, stopping }: DeletionParts): Promise<void> {
  interface Gap {
    swarm_id: string;
    to_id: string;
  }
  // The first one is the newest number of all swarms, which stays.
  let after: Gap | undefined = { swarm_id: '', to_id: '' };
  while (after && !stopping.aborted) {
    const later: Sql = sql`FROM message_gaps WHERE (swarm_id, to_id) > (${after.swarm_id}, ${after.to_id})`;
    const part: Gap[] = await db.read<Gap>(
      sql`SELECT swarm_id, to_id ${later} ORDER BY swarm_id, to_id LIMIT ${deletedAtOnce}`,
    );
    after = part.at(-1);
    if (!after) return;
    const ended = sql`${later} AND (swarm_id, to_id) <= (${after.swarm_id}, ${after.to_id}) AND ${isEndedGap}`;
    // A write that deletes nothing would be a commit too.
    const [one] = await db.read({ ...sql`SELECT 1 ${ended} LIMIT 1`, isLong: true });
    if (one) await db.write([sql`DELETE ${ended}`]);
  }
}

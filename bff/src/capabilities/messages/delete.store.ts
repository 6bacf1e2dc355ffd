/** Deletes messages in small commits, and stores as gaps what somebody may not have received. */
import { isForOwnerOf, isOfSender, isOfSenderTo, senderPart } from '../../core/store/messages-of-sender.ts';
import { always, join, listOf, raw, sql, type Sql, type Statement } from '../../core/store/statement.ts';
import type { Database } from '../../core/store/database.ts';
import type { FeedRow } from '../../core/store/row-types.ts';

/** Rows that are deleted in one commit. */
const deletedAtOnce = 500;

/** The messages that a job, which reads all, has not read yet (service/values). */
export interface UnreadMessages {
  /** The number up to which messages have been read. */
  cursor: () => number;
  /** Messages are about to be deleted, here or in other processes: some of those that were not read may be next. */
  due: () => void;
  /** Ends when those that were sent before the call have been read, here or in another process, or after some seconds. */
  read: (stopping: AbortSignal) => Promise<void>;
  /** The statement, for the write that deletes these messages, that counts those of them that the job has not read. */
  countDeleted: (condition: Sql) => Statement;
}

/** What a deletion needs. When the server stops, it ends early, and the hourly one deletes the rest. */
export interface DeletionDeps {
  db: Database;
  unread: UnreadMessages;
  stopping: AbortSignal;
}

/** SQL: the message is not the last one of a member to its swarm: that one is kept. */
export const isReplaced = sql`(EXISTS (SELECT 1 FROM messages later WHERE later.seq > messages.seq
      AND ${isOfSenderTo('later', { sender: raw('messages.sender_id'), swarm: raw('messages.swarm_id') })})
  OR NOT EXISTS (SELECT 1 FROM memberships m
    WHERE m.swarm_id = messages.swarm_id AND m.resource_id = messages.sender_id))`;

/**
 * Inserts, of the messages that are deleted, for each swarm and recipient ('' for all), the newest one and the newest one of
 * another sender: a receiver that resumes before it has missed something, unless it has sent it.
 */
const insertGaps = (condition: Sql) => sql`INSERT INTO message_gaps (swarm_id, to_id, seq, sender_id, other_seq)
  SELECT swarm_id, to_id, seq, sender_id, coalesce(other_seq, 0) FROM (
    SELECT swarm_id, to_id, seq, sender_id, row_number() OVER newest AS place, lead(seq) OVER newest AS other_seq FROM (
      SELECT swarm_id, coalesce(to_id, '') AS to_id, sender_id, max(seq) AS seq FROM messages WHERE ${condition}
        GROUP BY swarm_id, coalesce(to_id, ''), sender_id) gone
    WINDOW newest AS (PARTITION BY swarm_id, to_id ORDER BY seq DESC)) ordered
  WHERE place = 1 ORDER BY swarm_id, to_id
  ON CONFLICT (swarm_id, to_id) DO UPDATE SET seq = greatest(message_gaps.seq, excluded.seq),
    sender_id = CASE WHEN excluded.seq > message_gaps.seq THEN excluded.sender_id ELSE message_gaps.sender_id END,
    other_seq = greatest(message_gaps.other_seq, excluded.other_seq, CASE
      WHEN excluded.sender_id <> message_gaps.sender_id THEN least(message_gaps.seq, excluded.seq) ELSE 0 END)`;

/** Inserts the newest number of the messages that are deleted, which a receiver may have, for all swarms together. */
const insertNewest = (condition: Sql) => sql`INSERT INTO message_gaps (swarm_id, to_id, seq, sender_id, other_seq)
  SELECT '', '', max(seq), '', 0 FROM messages WHERE ${condition} HAVING max(seq) > 0
  ON CONFLICT (swarm_id, to_id) DO UPDATE SET seq = greatest(message_gaps.seq, excluded.seq)`;

/**
 * What messages belong to: their sender, and their swarm. They are deleted after the commit of an entry `destroyedBy`. As SQL:
 * what an index has of an id (`indexedPart`), whether the sender or swarm of a row of `messages` still exists (`exists`), and whether
 * all rows of one of these `ids` have one that does (`allExist`).
 */
export const scopes = [
  {
    column: raw('sender_id'),
    indexedPart: senderPart,
    destroyedBy: 'resource.destroyed',
    idOf: (entry: FeedRow) => entry.resource_id!,
    exists: sql`EXISTS (SELECT 1 FROM resources r WHERE r.id = messages.sender_id AND ${isForOwnerOf('r', raw('messages.user_id'))})`,
    // Of most devices, which were never handed over, it reads no messages.
    allExist: sql`EXISTS (SELECT 1 FROM resources r WHERE r.id = ids.id AND (r.owner_since IS NULL
      OR NOT EXISTS (SELECT 1 FROM messages m WHERE ${isOfSender('m', raw('r.id'))} AND NOT ${isForOwnerOf('r', raw('m.user_id'))})))`,
  },
  {
    column: raw('swarm_id'),
    indexedPart: (id: Sql) => id,
    destroyedBy: 'swarm.destroyed',
    idOf: (entry: FeedRow) => entry.swarm_id!,
    exists: sql`EXISTS (SELECT 1 FROM swarms s WHERE s.id = messages.swarm_id AND s.user_id <> '')`,
    allExist: sql`EXISTS (SELECT 1 FROM swarms s WHERE s.id = ids.id AND s.user_id <> '')`,
  },
] as const;

export type MessageScope = (typeof scopes)[number];

/** Deletes messages up to a number. `isReceived`: somebody may not have received them. */
async function deleteWithGaps(
  { db, unread }: DeletionDeps,
  condition: Sql,
  { upTo, isReceived = true }: { upTo: number; isReceived?: boolean },
): Promise<void> {
  const missed = upTo > unread.cursor() ? [unread.countDeleted(condition)] : [];
  const gaps = isReceived ? [insertGaps(condition)] : [];
  await db.write([...missed, ...gaps, insertNewest(condition), sql`DELETE FROM messages WHERE ${condition}`]);
}

const among = (rows: readonly { seq: number }[]): Sql =>
  sql`seq IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(rows.map(({ seq }) => seq))}))`;

const newestOf = (rows: readonly { seq: number }[]): number => Math.max(...rows.map(({ seq }) => seq));

export async function deleteRows(deps: DeletionDeps, rows: readonly { seq: number }[]): Promise<void> {
  for (let from = 0; from < rows.length && !deps.stopping.aborted; from += deletedAtOnce) {
    const batch = rows.slice(from, from + deletedAtOnce);
    await deleteWithGaps(deps, among(batch), { upTo: newestOf(batch) });
  }
}

/** Deletes the replaced messages that were sent before a time. */
export async function deleteReplaced(deps: DeletionDeps, sentBefore: string): Promise<void> {
  const { db, stopping } = deps;
  for (let after = 0; ;) {
    const [range] = await db.read<{ seq: number | null; oldest: string }>(
      sql`SELECT max(seq) AS seq, min(sent_at) AS oldest FROM (SELECT seq, sent_at FROM messages
        WHERE seq > ${after} ORDER BY seq LIMIT ${deletedAtOnce}) part`,
    );
    if (stopping.aborted || !range || range.seq === null || range.oldest >= sentBefore) return;
    const replaced = sql`seq > ${after} AND seq <= ${range.seq} AND sent_at < ${sentBefore} AND ${isReplaced}`;
    // A write that deletes nothing would be a commit too.
    const [found] = await db.read({ ...sql`SELECT 1 FROM messages WHERE ${replaced} LIMIT 1`, isLong: true });
    if (found) await deleteWithGaps(deps, replaced, { upTo: range.seq });
    after = range.seq;
  }
}

/** Deletes all messages of senders or swarms that do not exist, or belong to another user now. One that was restored keeps what is left. */
export async function deleteOf(deps: DeletionDeps, scope: MessageScope, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length && !deps.stopping.aborted; from += deletedAtOnce)
    await deleteOfSome(deps, scope, ids.slice(from, from + deletedAtOnce));
}

/** Deletes the messages of `deletedAtOnce` ids at most: PostgreSQL takes each JSON array for a hundred ids, and would read the whole table for one. */
async function deleteOfSome(
  deps: DeletionDeps,
  { column, indexedPart, destroyedBy, exists }: MessageScope,
  ids: readonly string[],
): Promise<void> {
  const { db, unread, stopping } = deps;
  // Of senders that still exist (members of the swarm, or a device that was handed over), the job reads what it has not read yet.
  const [left] = await db.read(sql`SELECT 1 FROM resources WHERE id IN (${listOf(ids)}) LIMIT 1`);
  if (destroyedBy === 'swarm.destroyed' || left) await unread.read(stopping);
  const indexedParts = ids.map((id) => indexedPart(sql`${id}`));
  const condition = sql`${indexedPart(column)} IN (${join(indexedParts, ', ')}) AND ${column} IN (${listOf(ids)}) AND NOT ${exists}`;
  while (!stopping.aborted) {
    const rows = await db.read<{ seq: number }>(
      sql`SELECT seq FROM messages WHERE ${condition} LIMIT ${deletedAtOnce}`,
    );
    if (rows.length === 0) return;
    // Messages whose sender or swarm was restored in between stay. Nobody receives from a swarm that has ended.
    const notRestored = sql`${among(rows)} AND NOT ${exists}`;
    await deleteWithGaps(deps, notRestored, { upTo: newestOf(rows), isReceived: destroyedBy !== 'swarm.destroyed' });
  }
}

/** Deletes what interrupted deletions have left, and the gaps of what nobody can receive any more. */
export async function deleteLeft(deps: DeletionDeps): Promise<void> {
  const { db } = deps;
  for (const scope of scopes) {
    const { column, indexedPart, allExist } = scope;
    // Goes from one id to the next, so that it does not read all messages. Of two senders with the same part, it reads one.
    const next = (which: Sql) =>
      sql`SELECT ${column} FROM messages WHERE ${which} ORDER BY ${indexedPart(column)} LIMIT 1`;
    const orphans = sql`WITH RECURSIVE ids(id) AS (SELECT (${next(always)}) UNION ALL
        SELECT (${next(sql`${indexedPart(column)} > ${indexedPart(raw('ids.id'))}`)}) FROM ids WHERE ids.id IS NOT NULL)
      SELECT id FROM ids WHERE id IS NOT NULL AND NOT ${allExist}`;
    const rows = await db.read<{ id: string }>({ ...orphans, isLong: true });
    await deleteOf(
      deps,
      scope,
      rows.map(({ id }) => id),
    );
  }
  await deleteEndedGaps(deps);
}

/** SQL: nobody can receive from the swarm of this gap any more, or the device of this gap cannot. */
const isEndedGap = sql`CASE WHEN to_id = '' THEN NOT EXISTS (SELECT 1 FROM swarms WHERE id = swarm_id)
  ELSE NOT EXISTS (SELECT 1 FROM memberships m WHERE m.swarm_id = message_gaps.swarm_id AND resource_id = to_id) END`;

async function deleteEndedGaps({ db, stopping }: DeletionDeps): Promise<void> {
  interface Gap {
    swarm_id: string;
    to_id: string;
  }
  // The first one is the newest number of all swarms, which stays.
  let after: Gap | undefined = { swarm_id: '', to_id: '' };
  while (after && !stopping.aborted) {
    const later: Sql = sql`FROM message_gaps WHERE (swarm_id, to_id) > (${after.swarm_id}, ${after.to_id})`;
    const gaps: Gap[] = await db.read<Gap>(
      sql`SELECT swarm_id, to_id ${later} ORDER BY swarm_id, to_id LIMIT ${deletedAtOnce}`,
    );
    after = gaps.at(-1);
    if (!after) return;
    const ended = sql`${later} AND (swarm_id, to_id) <= (${after.swarm_id}, ${after.to_id}) AND ${isEndedGap}`;
    // A write that deletes nothing would be a commit too.
    const [found] = await db.read({ ...sql`SELECT 1 ${ended} LIMIT 1`, isLong: true });
    if (found) await db.write([sql`DELETE ${ended}`]);
  }
}

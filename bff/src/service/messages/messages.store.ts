/**
 * Messages: a row for each swarm that a message was sent to. `seq` counts all rows in the order of their commits, so a
 * reader that has read up to a number has missed nothing (store/postgres/writer.ts).
 */
import type { MessageSend, MessageSent } from '../../contract.ts';
import { eventId, type ChangeFeed } from '../../change-feed/change-feed.ts';
import { Problem } from '../../problem.ts';
import { BoundedMap } from '../../limits/bounded-map.ts';
import { messageLimits } from '../../limits/field-rules.ts';
import type { FairQueue } from '../../limits/fair-queue.ts';
import { createLongReads } from '../../limits/long-reads.ts';
import type { Quotas } from '../../limits/quotas.ts';
import type { Rates } from '../../limits/limit-tables.ts';
import { requireTurns, takeTurns, tooFast } from '../../limits/rate.ts';
import { shareNextRun } from '../../limits/share-next-run.ts';
import type { Database } from '../../store/database.ts';
import type { FeedRow, MessageRow } from '../../store/row-types.ts';
import { allOf, always, raw, sql, type Sql } from '../../store/statement.ts';

/** Of one statement: messages, their rows, and the characters of their payloads in all rows. One message may be more: it is alone. */
const sentAtOnce = { messages: 200, rows: 2000, size: 1024 * 1024 };
const readAtOnce = 500;
/** Rows that are deleted in one commit. */
const deletedAtOnce = 500;
/** Rows of a swarm after which what is beyond its share is deleted, or after a quarter of its rows or of its bytes. */
const trimEvery = 4000;
const { keptBytes, sharedBytes, rowBytes } = messageLimits;
/** A user's bytes are looked at after this part of the share was sent. */
const checkedParts = 16;
/** Rows of all users that are looked at together for the oldest ones of one. */
const walkedAtOnce = 5000;
/** In ms: how long the sum of all users is used. */
const sumLastsMs = 5000;
const sendersKnown = 10_000;
const columns = ['seq', 'rest', 'id', 'swarm_id', 'sender_id', 'to_id', 'sent_at', 'payload']
  .map((name) => `m.${name}`)
  .join(', ');

/**
 * The swarm of a message, or all swarms if it names none: one range of the index by resource either way. Ids are hexadecimal. Of
 * a BETWEEN, SQLite would use the lower end only.
 */
const isMeant = (swarm: string) => `m.swarm_id >= coalesce(${swarm}, '') AND m.swarm_id <= coalesce(${swarm}, 'z')`;

/**
 * Sends the messages that may be sent, in one statement: the right is checked where it is used, so nothing is sent after a
 * membership has ended. A message without a row was refused. The sender and the owner of the swarm still have an account.
 */
const insertInto = (
  leftOut: string,
) => `INSERT INTO messages (id, swarm_id, sender_id, to_id, sent_at, payload, is_named, rest, user_id)
  SELECT sent.id, m.swarm_id, m.resource_id, sent.to_id, $2, sent.payload, sent.is_named,
    row_number() OVER (PARTITION BY sent.place ORDER BY m.swarm_id DESC) - 1, r.user_id FROM sent_messages($1) sent
    JOIN /*in this order*/ memberships m ON m.resource_id = sent.sender_id AND ${isMeant('sent.swarm_id')}
      AND m.resource_type <> 'consumer'
    JOIN /*in this order*/ resources r ON r.id = m.resource_id
    JOIN /*in this order*/ "user" u ON u.username = r.user_id AND u.disabled_at IS NULL
    JOIN /*in this order*/ swarms s ON s.id = m.swarm_id
    JOIN /*in this order*/ "user" o ON o.username = s.user_id
  WHERE (sent.to_id IS NULL OR sent.to_id <> sent.sender_id AND EXISTS (SELECT 1 FROM memberships c
      WHERE c.swarm_id = m.swarm_id AND c.resource_id = sent.to_id AND c.resource_type <> 'producer'))
    AND (sent.is_named = 0 OR NOT EXISTS (SELECT 1 FROM messages named
      WHERE named.sender_id = sent.sender_id AND named.id = sent.id AND named.is_named = 1)) ${leftOut}
  ORDER BY sent.place, m.swarm_id ON CONFLICT DO NOTHING RETURNING seq, rest, id, swarm_id, sender_id, to_id, sent_at`;
const insert = insertInto('');
/** The same, without the swarms of some messages ($3) that take no more. */
const insertPartly = insertInto(`AND sent.sender_id || ' ' || sent.id || ' ' || m.swarm_id
    NOT IN (SELECT value FROM elements($3))`);

/** It is not the last message of a member to its swarm, which is kept. */
const isReplaced = `(EXISTS (SELECT 1 FROM messages later
    WHERE later.swarm_id = messages.swarm_id AND later.sender_id = messages.sender_id AND later.seq > messages.seq)
  OR NOT EXISTS (SELECT 1 FROM memberships m
    WHERE m.swarm_id = messages.swarm_id AND m.resource_id = messages.sender_id))`;

/**
 * What is beyond the share of a swarm ($1), in bytes ($2): of the senders who have most, their oldest ones. The last message of a
 * member is in a share of its own, of which the oldest are beyond. A row takes at least $3 bytes of the one share, $4 of the other, so
 * that the rows are bounded too. All rows of the swarm are read, so this is done after many of them.
 */
const beyondShare = `SELECT seq FROM (SELECT seq,
    sum(CASE WHEN is_last = 0 THEN greatest(bytes, $3) ELSE greatest(bytes, $4) END) OVER (PARTITION BY is_last
      ORDER BY CASE WHEN is_last = 0 THEN of_sender ELSE 0 END, seq DESC ROWS UNBOUNDED PRECEDING) AS used
  FROM (SELECT seq, bytes, of_sender, CASE WHEN place = 1 AND EXISTS (SELECT 1 FROM memberships m
      WHERE m.swarm_id = $1 AND m.resource_id = sent.sender_id) THEN 1 ELSE 0 END AS is_last
    FROM (SELECT seq, sender_id, bytes, row_number() OVER of_one AS place, sum(greatest(bytes, $3)) OVER of_one AS of_sender
      FROM (SELECT seq, sender_id, octet_length(payload) + ${rowBytes} AS bytes FROM messages WHERE swarm_id = $1) m
      WINDOW of_one AS (PARTITION BY sender_id ORDER BY seq DESC ROWS UNBOUNDED PRECEDING)) sent) classed) shared
  WHERE used > $2 ORDER BY seq`;

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

/** To whom messages belong, and the entry after whose commit they are deleted. */
const owners = [
  {
    column: 'sender_id',
    table: 'resources',
    ended: 'resource.destroyed',
    idOf: (entry: FeedRow) => entry.resource_id!,
  },
  { column: 'swarm_id', table: 'swarms', ended: 'swarm.destroyed', idOf: (entry: FeedRow) => entry.swarm_id! },
] as const;

interface Waiting {
  sent: {
    id: string;
    sender_id: string;
    swarm_id: string | null;
    to_id: string | null;
    payload: string;
    is_named: 0 | 1;
  };
  /** Of the device. */
  user: string;
  /** Swarms that take no more messages now. */
  full: readonly string[];
  /** How many rows it probably has, and the characters of its payload in all of them. */
  rows: number;
  size: number;
  resolve: (rows: MessageRow[]) => void;
  reject: (error: unknown) => void;
}

/** Of a swarm. */
interface Trim {
  /** Its share of what its owner may have. */
  bytes: number;
  /** The messages that it had when it was last done. */
  rows: number;
  /** What was sent since then, as a part of what is sent until it is done again. */
  part: number;
  /** It is about to be done. */
  isDue: boolean;
}

/** Of a user. */
interface UserTrim {
  /** What was sent since the user's bytes were looked at, as a part of what is sent until they are again. */
  part: number;
  isDue: boolean;
  /** Up to here the user has only last messages of members. */
  after: number;
}

interface Sender {
  userId: string;
  swarms: readonly string[];
}

const keyOf = (sender: string, id: string) => `${sender} ${id}`;

/** The number of the last row of the same message, which is the position of all of them. */
export const lastOf = ({ seq, rest }: MessageRow): number => seq + rest;

type SentRow = Pick<MessageRow, 'id' | 'swarm_id' | 'sent_at'>;
/** `full`: the swarms that took no more. The same message, sent again at the same time, may have reached them. */
function resultOf(rows: readonly SentRow[], full: readonly string[] = []): MessageSent {
  const swarms = rows.map(({ swarm_id }) => swarm_id);
  const leftOut = full.filter((swarm) => !swarms.includes(swarm));
  return {
    message_id: rows[0]!.id,
    sent_at: rows[0]!.sent_at,
    swarms,
    ...(leftOut.length > 0 && { rate_exceeded: leftOut }),
  };
}

const notProducer = (detail: string) => new Problem('message.not_producer', { detail });

/** A message as the JSON of its record. Its payload is never parsed. */
export interface MessageJson {
  id: string;
  json: string;
}

export type Messages = ReturnType<typeof createMessages>;

export function createMessages(options: {
  db: Database;
  feed: Pick<ChangeFeed, 'name' | 'subscribe'>;
  queue: FairQueue;
  quotas: Pick<Quotas, 'swarms'>;
  /** In bytes: what the messages of all users may have. Infinity for no limit. */
  bytesOfAll: number;
  rates: Pick<Rates, 'swarm_messages' | 'swarm_messages_of_user' | 'user_messages' | 'message_bytes_of_user'>;
  now: () => Date;
  newId: () => string;
  report: (error: unknown) => void;
}) {
  const { db, feed, queue, quotas, bytesOfAll, rates, now, newId, report } = options;
  const readsOf = createLongReads({ db, queue });
  /** Owners of devices, and the swarms to which these send. One that changes while it is read is not in it. */
  const senders = new BoundedMap<string, Promise<Sender>>(sendersKnown);
  const waiting = createWaitingMessages();
  let sending: Promise<void> | undefined;
  let onSent: (rows: MessageRow[]) => void = () => {};

  async function sendWaiting() {
    // Messages of the same turn of the event loop share the first statement too.
    await Promise.resolve();
    while (!waiting.isEmpty()) {
      // The same id of the same sender is the same message.
      const batch = Map.groupBy(waiting.take(), ({ sent }) => keyOf(sent.sender_id, sent.id));
      const all = [...batch.values()].map(([first]) => first!);
      const list = JSON.stringify(all.map(({ sent }) => sent));
      const leftOut = all.flatMap(({ sent, full }) =>
        full.map((swarm) => `${keyOf(sent.sender_id, sent.id)} ${swarm}`),
      );
      const isPartial = leftOut.length > 0;
      try {
        const params = [list, now().toISOString(), ...(isPartial ? [JSON.stringify(leftOut)] : [])];
        const statement = { sql: isPartial ? insertPartly : insert, params, isResult: true, isInOrder: true } as const;
        const written = await db.write([statement]);
        const rows = (written.ok ? (written.rows as unknown as MessageRow[]) : [])
          .map((row) => ({ ...row, payload: batch.get(keyOf(row.sender_id, row.id))![0]!.sent.payload }))
          .toSorted((a, b) => a.seq - b.seq);
        onSent(rows);
        const byKey = Map.groupBy(rows, ({ sender_id, id }) => keyOf(sender_id, id));
        for (const [key, same] of batch) for (const { resolve } of same) resolve(byKey.get(key) ?? []);
        noteSwarms(rows);
        noteUsers(rows, batch);
      } catch (error) {
        onSent([]);
        for (const { reject } of [...batch.values()].flat()) reject(error);
      }
    }
    sending = undefined;
  }

  const trims = new BoundedMap<string, Trim>(sendersKnown);
  function noteSwarms(rows: readonly MessageRow[]) {
    for (const { swarm_id, payload } of rows) {
      const trim = trims.get(swarm_id) ?? { bytes: sharedBytes, rows: 0, part: 0.95, isDue: false };
      trim.part += Math.max(1 / Math.max(trimEvery, trim.rows / 4), (4 * (payload.length + rowBytes)) / trim.bytes);
      trims.set(swarm_id, trim);
      if (trim.part < 1 || trim.isDue) continue;
      trim.isDue = true;
      // One swarm at a time.
      trimming = trimming.then(() => trimDue({ swarmId: swarm_id, trim })).catch(report);
    }
  }

  const bytesOfUserAtMost = quotas.swarms * sharedBytes;
  const users = new BoundedMap<string, UserTrim>(sendersKnown);
  function noteUsers(rows: readonly MessageRow[], sent: ReadonlyMap<string, readonly Waiting[]>) {
    for (const { sender_id, id, payload } of rows) {
      const bytes = payload.length + rowBytes;
      sum.bytes += bytes;
      const [{ user }] = sent.get(keyOf(sender_id, id)) as [Waiting];
      const trim = users.get(user) ?? { part: 0.95, isDue: false, after: 0 };
      trim.part += (checkedParts * bytes) / bytesOfUserAtMost;
      users.set(user, trim);
      if (trim.part < 1 || trim.isDue) continue;
      trim.isDue = true;
      trimming = trimming.then(() => trimUser({ user, trim })).catch(report);
    }
  }

  /** Deletes the oldest messages that a user has sent beyond the user's share. The last ones of members are the last ones to go. */
  async function trimUser({ user, trim }: { user: string; trim: UserTrim }) {
    trim.isDue = false;
    trim.part = 0;
    const used = sql`SELECT amount FROM usage WHERE user_id = ${user} AND kind = 'message_bytes'`;
    const [before] = await db.read<{ amount: number }>(used);
    const excess = (before?.amount ?? 0) - bytesOfUserAtMost;
    if (excess <= 0) return;
    const walk = await deleteOldest({ user, after: trim.after, of: raw(isReplaced), excess });
    trim.after = walk.after;
    if (walk.excess > 0) await deleteOldest({ user, after: 0, of: always, excess: walk.excess });
  }

  /** Deletes the oldest messages of a user, until these were so many bytes. It looks at the messages of all users, in chunks. */
  async function deleteOldest(walk: { user: string; after: number; of: Sql; excess: number }) {
    const reads = readsOf({ user: walk.user });
    let { after, excess } = walk;
    while (excess > 0 && !isClosed) {
      const [part] = await reads.read<{ seq: number | null }>(
        sql`SELECT max(seq) AS seq FROM (SELECT seq FROM messages WHERE seq > ${after} ORDER BY seq LIMIT ${walkedAtOnce}) part`,
      );
      if (!part || part.seq === null) break;
      const own = await reads.read<{ seq: number; bytes: number }>(
        sql`SELECT seq, octet_length(payload) + ${rowBytes} AS bytes FROM messages WHERE seq > ${after} AND seq <= ${part.seq}
          AND EXISTS (SELECT 1 FROM resources r WHERE r.id = messages.sender_id AND r.user_id = ${walk.user})
          AND ${walk.of} ORDER BY seq`,
      );
      const enough = own.findIndex(({ bytes }) => (excess -= bytes) <= 0);
      const deleted = enough === -1 ? own : own.slice(0, enough + 1);
      await deleteRows(deleted);
      after = enough === -1 ? part.seq : deleted.at(-1)!.seq;
    }
    return { after, excess };
  }

  /** The bytes of all users, read again when they are old, and what this process has sent since. */
  const sum = { bytes: 0, readAt: 0 };
  const readSum = shareNextRun(async () => {
    const [read] = await db.read<{ bytes: number }>({
      sql: `SELECT CAST(coalesce(sum(amount), 0) AS bigint) AS bytes FROM usage WHERE kind = 'message_bytes'`,
    });
    sum.bytes = read!.bytes;
    sum.readAt = now().getTime();
  });
  const isSumOld = () => Math.abs(now().getTime() - sum.readAt) > sumLastsMs;

  async function trimDue(due: { swarmId: string; trim: Trim }) {
    due.trim.isDue = false;
    due.trim.part = 0;
    if (!isClosed) await trimSwarm(due);
  }

  /** Deletes what is beyond the share of a swarm. */
  async function trimSwarm({ swarmId, trim }: { swarmId: string; trim: Trim }) {
    const [owner] = await db.read<{ swarms: number }>(
      sql`SELECT amount AS swarms FROM swarms s JOIN usage u ON u.user_id = s.user_id AND u.kind = 'swarms' WHERE s.id = ${swarmId}`,
    );
    trim.bytes = Math.floor(Math.min(keptBytes, (quotas.swarms * sharedBytes) / (owner?.swarms ?? 1)));
    const least = [messageLimits.kept, messageLimits.keptOfMembers].map((rows) => Math.ceil(trim.bytes / rows));
    const beyond = await db.read<{ seq: number }>({
      sql: beyondShare,
      params: [swarmId, trim.bytes, ...least],
      isLong: true,
    });
    await deleteRows(beyond);
    const rows = 'SELECT count(*) AS rows FROM messages WHERE swarm_id = $1';
    const [kept] = await db.read<{ rows: number }>({ sql: rows, params: [swarmId], isLong: true });
    trim.rows = kept!.rows;
  }

  async function deleteRows(rows: readonly { seq: number }[]) {
    for (let from = 0; from < rows.length && !isClosed; from += deletedAtOnce) {
      const seqs = JSON.stringify(rows.slice(from, from + deletedAtOnce).map(({ seq }) => seq));
      await deleteKept(sql`seq IN (SELECT CAST(value AS bigint) FROM elements(${seqs}))`);
    }
  }

  /** Deletes messages that somebody may not have received. */
  async function deleteKept(of: Sql) {
    await db.write([noteGaps(of), sql`DELETE FROM messages WHERE ${of}`]);
  }

  /** Deletes the replaced messages that were sent before a time, in chunks. */
  async function deleteReplaced(sentBefore: string): Promise<void> {
    for (let after = 0; ;) {
      const [part] = await db.read<{ seq: number | null; oldest: string }>(
        sql`SELECT max(seq) AS seq, min(sent_at) AS oldest FROM (SELECT seq, sent_at FROM messages
          WHERE seq > ${after} ORDER BY seq LIMIT ${deletedAtOnce}) part`,
      );
      if (isClosed || !part || part.seq === null || part.oldest >= sentBefore) return;
      const replaced = sql`seq > ${after} AND seq <= ${part.seq} AND sent_at < ${sentBefore} AND ${raw(isReplaced)}`;
      // A write that deletes nothing would be a commit too.
      const [one] = await db.read({ ...sql`SELECT 1 FROM messages WHERE ${replaced} LIMIT 1`, isLong: true });
      if (one) await deleteKept(replaced);
      after = part.seq;
    }
  }

  async function deleteAll(of: Sql) {
    const part = sql`DELETE FROM messages WHERE seq IN (SELECT seq FROM messages WHERE ${of} LIMIT ${deletedAtOnce})`;
    while (!isClosed && (await db.write([{ ...part, orFail: 'nothing left' }])).ok);
  }

  /** Deletes all messages of senders or swarms that do not exist. One that was restored keeps what is left. */
  const deleteOf = ({ column, table }: (typeof owners)[number], ids: readonly string[]) =>
    deleteAll(sql`${raw(column)} IN (SELECT value FROM elements(${JSON.stringify(ids)}))
      AND NOT EXISTS (SELECT 1 FROM ${raw(table)} t WHERE t.id = messages.${raw(column)} AND t.user_id <> '')`);

  let isClosed = false;
  let deleting = Promise.resolve();
  let trimming: Promise<unknown> = Promise.resolve();
  const unsubscribe = feed.subscribe((entries) => {
    if (!entries) senders.clear();
    for (const { kind, resource_id } of entries ?? [])
      if (kind === 'membership.changed' || kind === 'resource.destroyed') senders.delete(resource_id!);
    for (const owner of owners) {
      const ids = (entries ?? []).filter(({ kind }) => kind === owner.ended).map(owner.idOf);
      // `purge` deletes what is left after a failure or a restart.
      if (ids.length > 0) deleting = deleting.then(() => deleteOf(owner, ids)).catch(report);
    }
  });

  /** What was sent with the id of the client before. */
  async function sentBefore({ id, sender_id, is_named }: Waiting['sent']): Promise<MessageSent | undefined> {
    if (is_named === 0) return undefined;
    const before = await db.read<SentRow>({
      sql: 'SELECT id, swarm_id, sent_at FROM messages WHERE sender_id = $1 AND id = $2 AND is_named = 1 ORDER BY swarm_id',
      params: [sender_id, id],
    });
    return before.length > 0 ? resultOf(before) : undefined;
  }

  /** @throws `message.not_producer`, with the reason, or `resource.not_found`, if the sender may not send to the swarm, or to any */
  async function requireProducer({ sender_id, swarm_id }: Waiting['sent']) {
    const [sender] = await db.read<{ role: string | null }>({
      sql: `SELECT (SELECT m.resource_type FROM memberships m WHERE m.resource_id = r.id AND ${isMeant('$2')}
              ORDER BY CASE m.resource_type WHEN 'consumer' THEN 1 ELSE 0 END LIMIT 1) AS role
            FROM resources r WHERE r.id = $1`,
      params: [sender_id, swarm_id],
    });
    if (!sender) {
      senders.delete(sender_id);
      throw new Problem('resource.not_found');
    }
    if (sender.role === 'consumer') throw notProducer('The resource is only a consumer');
    if (sender.role === null)
      throw notProducer(
        swarm_id === null ? 'The resource is in no swarm' : 'The resource is not a member of this swarm',
      );
  }

  /** Why nothing was written of a message. */
  async function refusalOf(sent: Waiting['sent']): Promise<Problem> {
    await requireProducer(sent);
    if (sent.to_id === null) return notProducer('The resource can no longer send to this swarm');
    const detail = 'is not a consumer in a swarm to which the resource sends';
    return new Problem('body.invalid', { errors: [{ pointer: '/to', code: 'message.no_recipient', detail }] });
  }

  /** The swarms to which a message probably goes. Only the write knows it. */
  async function swarmsOf({ sender_id, swarm_id }: Waiting['sent']): Promise<readonly string[]> {
    const { swarms } = await senderOf(sender_id);
    if (swarm_id === null) return swarms;
    return swarms.includes(swarm_id) ? [swarm_id] : [];
  }

  /**
   * Takes the turns of a message: of its user for each row and for its bytes, and of each swarm, in which the user has a share.
   * Returns the swarms that take no more now. @throws `rate.exceeded` if that are all, or the user has sent too much
   */
  function takeTurnsOf({ userId, swarms, bytes }: { userId: string; swarms: readonly string[]; bytes: number }) {
    const ofUsers = [
      { rate: rates.user_messages, key: userId, each: 1 },
      { rate: rates.message_bytes_of_user, key: userId, each: bytes },
    ];
    requireTurns(ofUsers.map(({ each, ...turn }) => ({ ...turn, count: each * swarms.length })));
    let wait = 0;
    const full = swarms.filter((swarm) => {
      const seconds = takeTurns([
        { rate: rates.swarm_messages_of_user, key: `${swarm} ${userId}` },
        { rate: rates.swarm_messages, key: swarm },
      ]);
      wait = Math.max(wait, seconds);
      return seconds > 0;
    });
    if (full.length > 0) for (const { rate, key, each } of ofUsers) rate.giveBack(key, each * full.length);
    if (full.length > 0 && full.length === swarms.length) throw tooFast(wait);
    return full;
  }

  function senderOf(id: string): Promise<Sender> {
    const known = senders.get(id);
    if (known) return known;
    const reading = readSender(id);
    senders.set(id, reading);
    reading.catch(() => senders.get(id) === reading && senders.delete(id));
    return reading;
  }

  async function readSender(id: string): Promise<Sender> {
    const rows = await db.read<{ user_id: string; swarm_id: string | null }>({
      sql: `SELECT r.user_id, m.swarm_id FROM resources r
            LEFT JOIN memberships m ON m.resource_id = r.id AND m.resource_type <> 'consumer' WHERE r.id = $1`,
      params: [id],
    });
    const [first] = rows;
    if (!first) throw new Problem('resource.not_found');
    return { userId: first.user_id, swarms: rows.flatMap(({ swarm_id }) => swarm_id ?? []) };
  }

  /** Not like the ids of events. */
  const positionOf = (seq: number) => `m-${eventId(feed.name, seq)}`;
  /** Of a position of another database: the start. */
  const seqOf = (position: string): number => {
    const [, name, seq] = /^m-([0-9a-z]+)-(\d{1,15})$/.exec(position) ?? [];
    return name === feed.name ? Number(seq) : 0;
  };
  /** The payload is JSON already. */
  const jsonOf = (row: MessageRow): string => {
    const { id, swarm_id, sender_id, to_id, sent_at, payload } = row;
    const head = {
      id: positionOf(lastOf(row)),
      message_id: id,
      swarm_id,
      from: sender_id,
      ...(to_id !== null && { to: to_id }),
      sent_at,
    };
    return `${JSON.stringify(head).slice(0, -1)},"payload":${payload}}`;
  };
  const messageOf = (row: MessageRow): MessageJson => ({ id: positionOf(lastOf(row)), json: jsonOf(row) });
  const read = (query: Sql) => db.read<MessageRow>(query);

  return {
    positionOf,
    seqOf,
    jsonOf,

    /**
     * Sends a message of the user's device. Resolves when it is on disk.
     * @throws `resource.not_found`, `message.not_producer`, `body.invalid` (no recipient), `rate.exceeded`, `message.no_space`
     */
    async send({
      userId,
      id: sender_id,
      body,
    }: {
      userId: string;
      id: string;
      body: MessageSend;
    }): Promise<MessageSent> {
      const { payload, swarm_id = null, to: to_id = null, message_id } = body;
      const text = JSON.stringify(payload);
      // A malformed id would only be compared.
      const sent = {
        id: message_id ?? newId(),
        sender_id,
        swarm_id,
        to_id,
        payload: text,
        is_named: message_id === undefined ? 0 : 1,
      } as const;
      let swarms = await swarmsOf(sent);
      if (swarms.length === 0) {
        const before = await sentBefore(sent);
        if (before) return before;
        await requireProducer(sent);
        // Another process has just added it.
        senders.delete(sender_id);
        swarms = await swarmsOf(sent);
      }
      if (bytesOfAll < Infinity && isSumOld()) await readSum();
      if (sum.bytes >= bytesOfAll) throw new Problem('message.no_space');
      const full = takeTurnsOf({ userId, swarms, bytes: text.length });
      const expected = Math.max(1, swarms.length - full.length);
      const rows = await new Promise<MessageRow[]>((resolve, reject) => {
        waiting.add({ sent, user: userId, full, rows: expected, size: expected * text.length, resolve, reject });
        sending ??= sendWaiting();
      });
      if (rows.length > 0) return resultOf(rows, full);
      const before = await sentBefore(sent);
      if (before) return before;
      throw await refusalOf(sent);
    },
    /** The bytes of all users' messages. */
    async bytes(): Promise<number> {
      await readSum();
      return sum.bytes;
    },
    /** Whether the device is the user's. @throws `resource.not_found` */
    isSenderOf: async ({ userId, id }: { userId: string; id: string }) => (await senderOf(id)).userId === userId,
    /** Whether rows of this process are being written: `onSent` gets them. */
    isSending: () => sending !== undefined,
    /** `subscriber` gets the rows of each statement, in their order, when they are on disk. */
    onSent: (subscriber: typeof onSent) => void (onSent = subscriber),

    /** The swarms of which the user's device receives; undefined if the user has no such device. */
    async receivedBy({ userId, id }: { userId: string; id: string }): Promise<string[] | undefined> {
      const rows = await db.read<{ swarm_id: string | null }>({
        sql: `SELECT m.swarm_id FROM resources r
              LEFT JOIN memberships m ON m.resource_id = r.id AND m.resource_type <> 'producer'
                AND EXISTS (SELECT 1 FROM swarms s JOIN "user" o ON o.username = s.user_id WHERE s.id = m.swarm_id)
              WHERE r.id = $1 AND r.user_id = $2`,
        params: [id, userId],
      });
      return rows.length === 0 ? undefined : rows.flatMap(({ swarm_id }) => swarm_id ?? []);
    },

    async newest(): Promise<number> {
      const [row] = await db.read<{ seq: number }>({ sql: 'SELECT coalesce(max(seq), 0) AS seq FROM messages' });
      return row!.seq;
    },
    /** The next rows of all swarms after a number, only whole messages. */
    async since(after: number): Promise<MessageRow[]> {
      const rows = await read(
        sql`SELECT ${raw(columns)} FROM messages m WHERE m.seq > ${after} ORDER BY m.seq LIMIT ${readAtOnce}`,
      );
      const last = rows.at(-1);
      if (!last || last.rest === 0) return rows;
      const others = sql`m.seq > ${last.seq} AND m.seq <= ${lastOf(last)}`;
      return rows.concat(await read(sql`SELECT ${raw(columns)} FROM messages m WHERE ${others} ORDER BY m.seq`));
    },
    /** The first number of these swarms after `after`. */
    async firstAfter({ swarms, after }: { swarms: readonly string[]; after: number }): Promise<number | undefined> {
      const [first] = await db.read<{ seq: number | null }>({
        sql: `SELECT min(seq) AS seq FROM (SELECT (SELECT min(seq) FROM messages
                WHERE swarm_id = own.value AND seq > $2) AS seq FROM elements($1) own) firsts`,
        params: [JSON.stringify(swarms), after],
      });
      return first?.seq ?? undefined;
    },
    /** What a device receives of these swarms between two numbers, which must not be far from each other. */
    received: ({ id, swarms, after, upTo }: { id: string; swarms: readonly string[]; after: number; upTo: number }) =>
      read(sql`SELECT ${raw(columns)} FROM messages m WHERE m.seq > ${after} AND m.seq <= ${upTo}
        AND m.swarm_id IN (SELECT value FROM elements(${JSON.stringify(swarms)}))
        AND m.sender_id <> ${id} AND (m.to_id IS NULL OR m.to_id = ${id}) ORDER BY m.seq`),

    /** The newest message that a device would have received of these swarms, if it had not been deleted; 0 if there is none. */
    async newestMissing({ id, swarms }: { id: string; swarms: readonly string[] }): Promise<number> {
      const [gap] = await db.read<{ seq: number | null }>({
        sql: `SELECT max(CASE WHEN g.sender_id = $2 THEN g.other_seq ELSE g.seq END) AS seq FROM elements($1) own
              JOIN message_gaps g ON g.swarm_id = own.value AND g.to_id IN ('', $2)`,
        params: [JSON.stringify(swarms), id],
      });
      return gap?.seq ?? 0;
    },

    /**
     * The messages of a swarm, newest first. Without `readsAll`, for a user who neither owns nor manages it: without the messages
     * to one device that are neither of nor to the user's.
     */
    async ofSwarm(page: {
      swarmId: string;
      userId: string;
      readsAll: boolean;
      since?: string | undefined;
      before?: string | undefined;
      sender?: string | undefined;
      limit: number;
    }): Promise<MessageJson[]> {
      const { swarmId, userId, readsAll, since, before, sender, limit } = page;
      const beforeSeq = before === undefined ? 0 : seqOf(before);
      const conditions = [
        sql`m.swarm_id = ${swarmId}`,
        ...(sender === undefined ? [] : [sql`m.sender_id = ${sender}`]),
        ...(since === undefined ? [] : [sql`m.seq > ${seqOf(since)}`]),
        ...(beforeSeq === 0 ? [] : [sql`m.seq < ${beforeSeq} AND m.seq + m.rest < ${beforeSeq}`]),
        ...(readsAll
          ? []
          : [
              sql`m.to_id IS NULL OR EXISTS (SELECT 1 FROM resources r
                WHERE r.user_id = ${userId} AND r.id IN (m.to_id, m.sender_id))`,
            ]),
      ];
      const query = sql`SELECT ${raw(columns)} FROM messages m WHERE ${allOf(conditions)} ORDER BY m.seq DESC LIMIT ${limit}`;
      // Most messages of the swarm may be for others.
      return (await readsOf({ user: userId }).read<MessageRow>(query)).map(messageOf);
    },
    /** Whether the user has a consumer in the swarm. */
    async hasConsumer({ userId, swarmId }: { userId: string; swarmId: string }): Promise<boolean> {
      const consumer = sql`SELECT 1 FROM member_tallies
        WHERE swarm_id = ${swarmId} AND user_id = ${userId} AND resource_type <> 'producer' AND resources > 0 LIMIT 1`;
      return (await db.read(consumer)).length > 0;
    },
    /** The newest ones of a device, newest first: one for each swarm. */
    async sentBy({ userId, id, limit }: { userId: string; id: string; limit: number }): Promise<MessageJson[]> {
      const reads = readsOf({ user: userId });
      const newest = await newestSent(reads, { id, limit });
      if (newest.length === 0) return [];
      const seqs = JSON.stringify(newest);
      const rows = await reads.read<MessageRow>(
        sql`SELECT ${raw(columns)} FROM messages m WHERE m.seq IN (SELECT CAST(value AS bigint) FROM elements(${seqs}))
          ORDER BY m.seq DESC`,
      );
      return rows.map(messageOf);
    },

    /** Deletes what is older than a day or beyond a share, and what interrupted deletions have left. */
    async purge(): Promise<void> {
      const sentBefore = new Date(now().getTime() - messageLimits.keptHours * 3600_000).toISOString();
      await deleteReplaced(sentBefore);
      // Their shares were larger when their owner had fewer swarms.
      const shared = await db.read<{ id: string }>({
        sql: `SELECT s.id FROM usage u JOIN swarms s ON s.user_id = u.user_id
              WHERE u.kind = 'swarms' AND u.amount > $1 AND EXISTS (SELECT 1 FROM messages WHERE swarm_id = s.id)`,
        params: [Math.floor((quotas.swarms * sharedBytes) / keptBytes)],
        isLong: true,
      });
      for (const { id } of shared) await trimSwarm({ swarmId: id, trim: { bytes: 0, rows: 0, part: 0, isDue: false } });
      for (const owner of owners) {
        const { column, table } = owner;
        // Goes from one id to the next, so that it does not read all messages.
        const next = `SELECT min(${column}) FROM messages`;
        const orphans = `WITH RECURSIVE ids(id) AS (SELECT (${next}) UNION ALL
            SELECT (${next} WHERE ${column} > ids.id) FROM ids WHERE ids.id IS NOT NULL)
          SELECT id FROM ids WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = ids.id AND t.user_id <> '')`;
        const rows = await db.read<{ id: string }>({ sql: orphans, isLong: true });
        await deleteOf(
          owner,
          rows.map(({ id }) => id),
        );
      }
      const ended = `FROM message_gaps WHERE CASE WHEN to_id = '' THEN NOT EXISTS (SELECT 1 FROM swarms WHERE id = swarm_id)
        ELSE NOT EXISTS (SELECT 1 FROM memberships m WHERE m.swarm_id = message_gaps.swarm_id AND resource_id = to_id) END`;
      const [gap] = await db.read({ sql: `SELECT 1 ${ended} LIMIT 1`, isLong: true });
      if (gap) await db.write([{ sql: `DELETE ${ended}` }]);
    },

    async close() {
      unsubscribe();
      isClosed = true;
      await Promise.all([deleting, trimming]);
    },
  };
}

/**
 * The numbers of the newest rows of a sender, newest first. It reads the newest one of each swarm, and then goes back only in
 * those swarms that may have more of the newest ones: about `limit` rows at once, however many swarms there are.
 */
async function newestSent(reads: Pick<Database, 'read'>, { id, limit }: { id: string; limit: number }) {
  const newest = await reads.read<{ seq: number }>(
    // Goes from one swarm to the next.
    sql`WITH RECURSIVE sent_to(id) AS (
        SELECT (SELECT min(swarm_id) FROM messages WHERE sender_id = ${id})
        UNION ALL SELECT (SELECT min(swarm_id) FROM messages WHERE sender_id = ${id} AND swarm_id > sent_to.id)
          FROM sent_to WHERE sent_to.id IS NOT NULL)
      SELECT (SELECT max(seq) FROM messages WHERE sender_id = ${id} AND swarm_id = sent_to.id) AS seq
      FROM sent_to WHERE sent_to.id IS NOT NULL`,
  );
  let found = newest.map(({ seq }) => seq);
  /** Of each swarm, where it may have more. */
  let oldest = found;
  for (;;) {
    found = found.toSorted((a, b) => b - a).slice(0, limit);
    const least = found.length < limit ? 0 : found.at(-1)!;
    oldest = oldest.filter((seq) => seq > least);
    if (oldest.length === 0) return found;
    const most = Math.ceil(limit / oldest.length);
    const earlier = await reads.read<{ seq: number; place: number }>(
      sql`WITH RECURSIVE earlier(swarm_id, seq, place) AS (
          SELECT m.swarm_id, m.seq, 0 FROM elements(${JSON.stringify(oldest)}) own
            JOIN messages m ON m.seq = CAST(own.value AS bigint)
          UNION ALL SELECT swarm_id, (SELECT max(seq) FROM messages WHERE sender_id = ${id}
              AND swarm_id = earlier.swarm_id AND seq < earlier.seq AND seq > ${least}), place + 1
            FROM earlier WHERE seq IS NOT NULL AND place < ${most})
        SELECT seq, place FROM earlier WHERE seq IS NOT NULL AND place > 0`,
    );
    found.push(...earlier.map(({ seq }) => seq));
    oldest = earlier.flatMap(({ seq, place }) => (place === most ? [seq] : []));
  }
}

/** Messages that wait to be written. Their users take turns. */
function createWaitingMessages() {
  /** By user: the next one first. */
  const byUser = new Map<string, Waiting[]>();
  /** The last statement was one message that is larger than others together may be. */
  let wasLarge = false;

  /** The next message of a user, who is the last one then. */
  function takeOf(user: string): Waiting {
    const ofUser = byUser.get(user)!;
    const message = ofUser.shift()!;
    byUser.delete(user);
    if (ofUser.length > 0) byUser.set(user, ofUser);
    return message;
  }

  /** Users whose next message does not fit are the first ones of the next statement. */
  function takeFitting(): Waiting[] {
    const batch: Waiting[] = [];
    let [rows, size] = [0, 0];
    // A user who has had a turn comes again at the end.
    for (const [user, [next]] of byUser) {
      if (rows + next!.rows > sentAtOnce.rows || size + next!.size > sentAtOnce.size) continue;
      rows += next!.rows;
      size += next!.size;
      if (batch.push(takeOf(user)) === sentAtOnce.messages) break;
    }
    return batch;
  }

  return {
    isEmpty: () => byUser.size === 0,
    add(message: Waiting) {
      const ofUser = byUser.get(message.user);
      if (ofUser) ofUser.push(message);
      else byUser.set(message.user, [message]);
    },
    /** The messages of the next statement. A large one is alone, and between two of them come those that wait meanwhile. */
    take(): Waiting[] {
      const [first] = byUser.values().next().value!;
      let batch = first!.size > sentAtOnce.size && !wasLarge ? [] : takeFitting();
      wasLarge = batch.length === 0;
      if (wasLarge) batch = [takeOf(first!.user)];
      return batch;
    },
  };
}

/**
 * The way of a message from a request to the disk: its swarms and their rates, its place among those that wait, one statement for
 * all of these, and its result. `deliver` passes the rows on to receivers (deliver.ts).
 */
import type { MessageSend, MessageSent } from '../../contract.ts';
import type { Rates } from '../../core/limits/limit-tables.ts';
import { takeAllTokens, tooFast } from '../../core/limits/rate.ts';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { isForOwnerOf } from '../../core/store/messages-of-sender.ts';
import type { MessageRow } from '../../core/store/row-types.ts';
import { allRows, raw, sql, StorageError, type Statement } from '../../core/store/statement.ts';
import { sizeOf } from './message-json.ts';
import { isMeant, notProducer, requireProducer, type Senders } from './senders.store.ts';
import type { TotalBytes } from './total-bytes.store.ts';
import type { Trimming } from './trim.store.ts';
import { createWaitingMessages, type NewMessage, type WaitingMessage } from './waiting-messages.ts';

const isOpenAt = (row: string, at: string) =>
  `(${row}.ends_at IS NULL OR ${row}.ends_at > greatest(${at}, time_now()))`;

/**
 * SQL: inserts a row for each message ($1) and each swarm to which it goes, and returns these rows. The rights are conditions of the same
 * statement, so nothing is sent after a membership has ended, neither by the time of the message ($2) nor by that of the database.
 *
 * A message goes to a swarm if its sender is a producer there, belongs to the user who sends and whose account is enabled, and the owner
 * of the swarm has an account. One for a single receiver needs this as a consumer of the same swarm. One with an id of its client is
 * not inserted again. `rest` counts down to 0, the last row of a message. A message without a row was sent before, or was refused (`outcomeOf`).
 * `leftOut`: a further condition.
 */
const insertInto = (
  leftOut: string,
) => `INSERT INTO messages (id, swarm_id, sender_id, to_id, sent_at, payload, encoding, properties, is_named, rest, user_id, to_user)
  SELECT sent.id, m.swarm_id, m.resource_id, sent.to_id, $2, sent.payload, sent.encoding, sent.properties, sent.is_named,
    row_number() OVER (PARTITION BY sent.place ORDER BY m.swarm_id DESC) - 1, r.user_id,
    CASE WHEN sent.to_id IS NOT NULL THEN (SELECT user_id FROM resources WHERE id = sent.to_id) END FROM sent_messages($1) sent
    JOIN /*in this order*/ memberships m ON m.resource_id = sent.sender_id AND ${isMeant('sent.swarm_id')}
      AND m.resource_type <> 'consumer' AND ${isOpenAt('m', '$2')}
    JOIN /*in this order*/ resources r ON r.id = m.resource_id AND r.user_id = sent.user_id
    JOIN /*in this order*/ "user" u ON u.username = r.user_id AND u.disabled_at IS NULL
    JOIN /*in this order*/ swarms s ON s.id = m.swarm_id
    JOIN /*in this order*/ "user" o ON o.username = s.user_id
  WHERE (sent.to_id IS NULL OR sent.to_id <> sent.sender_id AND EXISTS (SELECT 1 FROM memberships c
      WHERE c.swarm_id = m.swarm_id AND c.resource_id = sent.to_id AND c.resource_type <> 'producer' AND ${isOpenAt('c', '$2')}))
    AND (sent.is_named = 0 OR NOT EXISTS (SELECT 1 FROM messages named
      WHERE named.sender_id = sent.sender_id AND named.id = sent.id AND named.is_named = 1
        AND ${isForOwnerOf('r', raw('named.user_id')).sql})) ${leftOut}
  ORDER BY sent.place, m.swarm_id ON CONFLICT DO NOTHING RETURNING seq, rest, id, swarm_id, sender_id, to_user`;
const insert = insertInto('');
/** The same, without those swarms of some of the messages ($3) that take no more. */
const insertPartly = insertInto(`AND sent.sender_id || ' ' || sent.id || ' ' || m.swarm_id
    NOT IN (SELECT value FROM elements($3))`);

/** A message whose payload and properties are texts of JSON. */
type MessageToSend = Omit<MessageSend, 'payload' | 'properties'> & {
  payload: string;
  properties?: string | null;
};

const keyOf = ({ sender_id, id }: { sender_id: string; id: string }) => `${sender_id} ${id}`;

/** The columns that the statement returns: the others are known. */
type WrittenRow = Pick<MessageRow, 'seq' | 'rest' | 'id' | 'swarm_id' | 'sender_id' | 'to_user'>;

/** A message of a statement. */
interface BatchEntry extends Pick<WaitingMessage, 'message' | 'fullSwarms'> {
  /** The requests that wait for it: the same id of the same sender is the same message. */
  requests: WaitingMessage[];
  /** Its rows, when they are written. */
  rows: MessageRow[];
}

type Batch = ReadonlyMap<string, BatchEntry>;

function batchOf(requests: readonly WaitingMessage[]): Batch {
  const batch = new Map<string, BatchEntry>();
  for (const request of requests) {
    const { message, fullSwarms } = request;
    const key = keyOf(message);
    const same = batch.get(key);
    if (same) same.requests.push(request);
    else batch.set(key, { message, fullSwarms, requests: [request], rows: [] });
  }
  return batch;
}

type SentRow = Pick<MessageRow, 'id' | 'swarm_id' | 'sent_at'>;
/** `fullSwarms`: the swarms that took no more. The same message, sent again at the same time, may have reached them. */
function resultOf(rows: readonly SentRow[], fullSwarms: readonly string[] = []): MessageSent {
  const swarms = rows.map(({ swarm_id }) => swarm_id);
  const leftOut = fullSwarms.filter((swarm) => !swarms.includes(swarm));
  return {
    message_id: rows[0]!.id,
    sent_at: rows[0]!.sent_at,
    swarms,
    ...(leftOut.length > 0 && { rate_exceeded: leftOut }),
  };
}

export type MessageRates = Pick<
  Rates,
  'user_messages' | 'message_bytes_of_user' | 'swarm_messages' | 'swarm_messages_of_user'
>;

export function createSending(parts: {
  db: Database;
  senders: Pick<Senders, 'swarmsOf' | 'forget'>;
  totalBytes: Pick<TotalBytes, 'requireRoom' | 'add'>;
  trimming: Pick<Trimming, 'add'>;
  rates: MessageRates;
  /** Delivers the rows of a statement of this process when they are on disk, before it resolves with them. */
  deliver: (written: Promise<MessageRow[]>) => Promise<MessageRow[]>;
  now: () => Date;
  newId: () => string;
  report: (error: unknown) => void;
}) {
  const { db, senders, totalBytes, trimming, rates, deliver, now, newId, report } = parts;
  const waitingMessages = createWaitingMessages();
  let isWriting = false;

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    try {
      // Messages of the same turn of the event loop share the first statement too.
      await Promise.resolve();
      while (!waitingMessages.isEmpty()) await writeTogether(waitingMessages.take());
    } finally {
      isWriting = false;
    }
  }

  async function writeTogether(requests: readonly WaitingMessage[]): Promise<void> {
    const batch = batchOf(requests);
    let rows: MessageRow[];
    try {
      rows = await deliver(write(batch));
    } catch (error) {
      if (batch.size > 1 && isOfOneMessage(error)) return writeInHalves(requests);
      for (const { reject } of requests) reject(error);
      return;
    }
    for (const entry of batch.values()) for (const { resolve } of entry.requests) resolve(entry.rows);
    try {
      totalBytes.add(rows);
      trimming.add(rows);
    } catch (error) {
      // They are on disk, and others wait.
      report(error);
    }
  }

  /** None of them is refused because of another one. */
  async function writeInHalves(requests: readonly WaitingMessage[]): Promise<void> {
    const half = Math.ceil(requests.length / 2);
    await writeTogether(requests.slice(0, half));
    await writeTogether(requests.slice(half));
  }

  /** Writes these messages. Returns their rows, and adds them to the entries. */
  async function write(batch: Batch): Promise<MessageRow[]> {
    const sent_at = now().toISOString();
    const written = await db.write([statementOf([...batch.values()], sent_at)]);
    if (!written.ok) return [];
    return allRows<WrittenRow>(written.rows)
      .toSorted((a, b) => a.seq - b.seq)
      .map((row) => {
        const entry = batch.get(keyOf(row))!;
        const { to_id, payload, encoding, properties = null, user_id } = entry.message;
        const whole = { ...row, sent_at, to_id, payload, encoding, properties, user_id };
        entry.rows.push(whole);
        return whole;
      });
  }

  return {
    /**
     * Sends a message of the user's device. Resolves when it is on disk. `retrySeconds`: the seconds until the swarms take more that it was
     * not sent to; 0 if there are none.
     * @throws `resource.not_found`, `message.not_producer`, `body.invalid` (no recipient), `rate.exceeded`, `message.no_space`
     */
    async send({ userId, id, body }: { userId: string; id: string; body: MessageToSend }): Promise<{
      sent: MessageSent;
      retrySeconds: number;
    }> {
      const message = newMessage({ id, userId }, body, newId);
      let swarms = await senders.swarmsOf(message);
      if (swarms.length === 0) {
        const before = await sentBefore(db, message);
        if (before) return { sent: before, retrySeconds: 0 };
        await requireProducer(db, message);
        // Another process has just added it.
        senders.forget(id);
        swarms = await senders.swarmsOf(message);
      }
      await totalBytes.requireRoom(userId);
      const size = sizeOf({ payload: message.payload, properties: message.properties ?? null });
      const { fullSwarms, retrySeconds } = takeMessageTokens(rates, { userId, swarms, size });
      const rowCount = Math.max(1, swarms.length - fullSwarms.length);
      const rows = await new Promise<MessageRow[]>((resolve, reject) => {
        waitingMessages.add({ message, fullSwarms, rowCount, bytes: rowCount * size, resolve, reject });
        if (!isWriting) void writeWaiting();
      });
      return { sent: rows.length > 0 ? resultOf(rows, fullSwarms) : await outcomeOf(db, message), retrySeconds };
    },
  };
}

function newMessage(
  { id: sender_id, userId: user_id }: { id: string; userId: string },
  { payload, encoding, properties, swarm_id, to, message_id }: MessageToSend,
  newId: () => string,
): NewMessage {
  return {
    id: message_id ?? newId(),
    sender_id,
    user_id,
    // A malformed id matches nothing.
    swarm_id: swarm_id ?? null,
    to_id: to ?? null,
    payload,
    encoding: encoding ?? null,
    // Most messages have none, for which the statement gets no field.
    ...(properties && { properties }),
    is_named: message_id === undefined ? 0 : 1,
  };
}

function statementOf(entries: readonly BatchEntry[], sentAt: string): Statement {
  const list = JSON.stringify(entries.map(({ message }) => message));
  const leftOut = entries.flatMap(({ message, fullSwarms }) => fullSwarms.map((swarm) => `${keyOf(message)} ${swarm}`));
  const isPartial = leftOut.length > 0;
  const params = [list, sentAt, ...(isPartial ? [JSON.stringify(leftOut)] : [])];
  return { sql: isPartial ? insertPartly : insert, params, isResult: true, isInOrder: true };
}

/** Nothing was written, and the reason may be one message of many. */
const isOfOneMessage = (error: unknown) =>
  error instanceof StorageError && (error.kind === 'constraint' || error.kind === 'unexpected');

/** What was sent with the id of the client before, for the same owner. */
async function sentBefore(
  db: Database,
  { id, sender_id, user_id, is_named }: NewMessage,
): Promise<MessageSent | undefined> {
  if (is_named === 0) return undefined;
  const before = await db.read<SentRow>(
    sql`SELECT m.id, m.swarm_id, m.sent_at FROM messages m
      JOIN resources r ON r.id = m.sender_id AND r.user_id = ${user_id} AND ${isForOwnerOf('r', raw('m.user_id'))}
      WHERE m.sender_id = ${sender_id} AND m.id = ${id} AND m.is_named = 1 ORDER BY m.swarm_id`,
  );
  return before.length > 0 ? resultOf(before) : undefined;
}

/** Nothing was written of this message. Returns what was sent with its id before. @throws why it was refused */
async function outcomeOf(db: Database, message: NewMessage): Promise<MessageSent> {
  const before = await sentBefore(db, message);
  if (before) return before;
  await requireProducer(db, message);
  if (message.to_id === null) throw notProducer('The resource can no longer send to this swarm');
  const detail = 'is not a consumer in a swarm to which the resource sends';
  throw new Problem('body.invalid', { errors: [{ pointer: '/to', code: 'message.no_recipient', detail }] });
}

/**
 * Takes the tokens of a message: of each swarm, in which the user has a share, and of its user for each row and for its bytes.
 * Returns the swarms that take no more now, and in how many seconds they do.
 * @throws `rate.exceeded` if no swarm takes more, or the user has sent too much
 */
function takeMessageTokens(
  rates: MessageRates,
  { userId, swarms, size }: { userId: string; swarms: readonly string[]; size: number },
): { fullSwarms: string[]; retrySeconds: number } {
  const ofSwarm = (swarm: string) => [
    { rate: rates.swarm_messages_of_user, key: `${swarm} ${userId}` },
    { rate: rates.swarm_messages, key: swarm },
  ];
  let retrySeconds = 0;
  const fullSwarms = swarms.filter((swarm) => {
    const seconds = takeAllTokens(ofSwarm(swarm));
    retrySeconds = Math.max(retrySeconds, seconds);
    return seconds > 0;
  });
  if (fullSwarms.length > 0 && fullSwarms.length === swarms.length) throw tooFast(retrySeconds);
  // After those of the swarms: the user pays only for the rows that are written.
  const rowCount = swarms.length - fullSwarms.length;
  const userSeconds = takeAllTokens([
    { rate: rates.user_messages, key: userId, count: rowCount },
    { rate: rates.message_bytes_of_user, key: userId, count: rowCount * size },
  ]);
  if (userSeconds > 0) {
    const taken = swarms.filter((swarm) => !fullSwarms.includes(swarm)).flatMap(ofSwarm);
    for (const { rate, key } of taken) rate.giveBack(key);
    throw tooFast(userSeconds);
  }
  return { fullSwarms, retrySeconds };
}

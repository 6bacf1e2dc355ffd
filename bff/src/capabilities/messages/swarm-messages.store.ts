/**
 * The messages of a swarm, in windows of a bounded number of rows: each is a read of its own in the reader thread, users in turn, so that a
 * search through all of them delays nobody else.
 */
import type { Requester } from '../../core/limits/fair-queue.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import type { LongReads } from '../../core/limits/long-reads.ts';
import type { Database } from '../../core/store/database.ts';
import { isForOwnerOf, isOfSenderTo } from '../../core/store/messages-of-sender.ts';
import { allOf, join, raw, sql, type Sql } from '../../core/store/statement.ts';
import { memberReadsMessages } from '../../core/store/visibility.ts';
import { messageFileChunk, type MessageFileChunk, type MessageFormat } from './message-file.shape.ts';
import { type MessageJson, type MessageCursors } from './message-json.ts';
import { messagesIn, messageTexts, type MessageTexts } from './message-texts.shape.ts';
import { queryLimits } from '../../core/limits/part-limits.ts';

const columns = raw(
  ['seq', 'rest', 'id', 'swarm_id', 'sender_id', 'to_id', 'sent_at', 'encoding'].map((name) => `m.${name}`).join(', '),
);

/** The name of a device that is a member. */
const nameOf = (id: string) => `(SELECT r.name FROM memberships named JOIN resources r ON r.id = named.resource_id
  WHERE named.swarm_id = m.swarm_id AND named.resource_id = ${id})`;
const names = raw(`, ${nameOf('m.sender_id')} AS from_name, ${nameOf('m.to_id')} AS to_name`);

export interface MessageFilter {
  /** Only messages of this resource. */
  sender?: string | undefined;
  /** Words that all occur in the payload or the properties. */
  q?: string | undefined;
  /** In UTC with milliseconds: the first time, and the first one after the last. */
  sentAfter?: string | undefined;
  sentBefore?: string | undefined;
}

/**
 * A user who reads the messages of a swarm. Without `readsAll`, for who neither owns nor manages the swarm, the messages to one device are left out
 * that are neither from nor to a device of the user.
 */
export interface MessageReader {
  requester: Requester;
  swarmId: string;
  readsAll: boolean;
}

/** A user who reads messages as the owner of members. */
type MemberReading = { userId: string; swarmId: string } & Pick<MessageFilter, 'sender'>;

export interface PageCursor {
  since?: string | undefined;
  before?: string | undefined;
  limit: number;
}

export interface MessagesFound {
  items: MessageJson[];
  /** For `before`, also of a page without messages: then the search has not ended. */
  next: string | null;
}

export function createSwarmReads({
  db,
  readsOf,
  cursors,
}: {
  db: Database;
  readsOf: LongReads;
  cursors: MessageCursors;
}) {
  const { seqOf, cursorOf } = cursors;
  const shape = messageTexts({ database: cursors.database });
  return {
    /** The messages of a swarm that match, newest first. It looks at `messageLimits.searched` of them at most. */
    async ofSwarm(query: MessageReader & MessageFilter & PageCursor): Promise<MessagesFound> {
      const { limit, since, before } = query;
      const reads = readsOf(query.requester);
      const matches = conditionsOf(query);
      const size = matches.length === 0 ? limit + 1 : messageLimits.window;
      const afterSince = since === undefined ? [] : [sql`m.seq > ${seqOf(since)}`];
      const items: MessageJson[] = [];
      let upTo = before === undefined ? 0 : seqOf(before);
      for (let looked = 0; looked < messageLimits.searched; looked += size) {
        // `seq` for the index: the cursor of a row is that of the last row of its message.
        const beforeLast = upTo === 0 ? [] : [sql`m.seq < ${upTo} AND m.seq + m.rest < ${upTo}`];
        const range = [...ofSwarmAnd(query), ...afterSince, ...beforeLast];
        const [texts] = await reads.read<MessageTexts>({ ...windowOf({ range, matches, order: 'DESC', size }), shape });
        items.push(...messagesIn(texts!));
        if (items.length > limit) return { items: items.slice(0, limit), next: items[limit - 1]!.id };
        if (texts!.rows < size) return { items, next: null };
        upTo = texts!.last;
      }
      return { items, next: cursorOf(upTo) };
    },

    /**
     * The messages of a swarm that match and are there at the start, oldest first, as chunks of a file. `readerNow` is called before each
     * read: what the user may read then.
     */
    async *fileOfSwarm(
      query: Omit<MessageReader, 'readsAll'> &
        MessageFilter & { format: MessageFormat; readerNow: () => Promise<Pick<MessageReader, 'readsAll'>> },
    ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
      const { requester, format, readerNow } = query;
      const reads = readsOf(requester);
      const [newest] = await reads.read<{ seq: number | null }>(
        sql`SELECT max(m.seq) AS seq FROM messages m WHERE ${allOf(ofSwarmAnd(query))}`,
      );
      const [size, more] = [messageLimits.fileWindow, format === 'csv' ? names : raw('')];
      const toFileChunk = messageFileChunk({ database: cursors.database, format });
      for (let after = 0; ;) {
        const matches = conditionsOf({ ...query, ...(await readerNow()) });
        const range = [...ofSwarmAnd(query), sql`m.seq > ${after}`, sql`m.seq <= ${newest!.seq ?? 0}`];
        const rows = windowOf({ range, matches, order: 'ASC', size, more });
        const [chunk] = await reads.read<MessageFileChunk>({ ...rows, shape: toFileChunk });
        yield chunk!.bytes;
        if (chunk!.rows < size) return;
        after = chunk!.last;
      }
    },

    /** Whether a user with members in the swarm reads its messages, or those of `sender`. */
    async memberReads({ userId, swarmId, sender }: MemberReading): Promise<boolean> {
      const asked = { user: sql`${userId}`, swarm: sql`${swarmId}`, sender: sql`${sender ?? ''}` };
      return (await db.read(sql`SELECT 1 WHERE ${memberReadsMessages(asked)}`)).length > 0;
    },
  };
}

const ofSwarmAnd = ({ swarmId, sender }: Pick<MessageReader, 'swarmId'> & MessageFilter): Sql[] => [
  sender === undefined
    ? sql`m.swarm_id = ${swarmId}`
    : isOfSenderTo('m', { sender: sql`${sender}`, swarm: sql`${swarmId}` }),
];

/** The conditions on which a row of a window is read with its payload. */
function conditionsOf({ requester, readsAll, q, sentAfter, sentBefore }: MessageReader & MessageFilter): Sql[] {
  return [
    ...(readsAll
      ? []
      : [
          sql`m.to_id IS NULL OR EXISTS (SELECT 1 FROM resources r
            WHERE r.user_id = ${requester.user} AND r.id IN (m.to_id, m.sender_id)
              AND ${isForOwnerOf('r', raw('CASE WHEN r.id = m.sender_id THEN m.user_id ELSE m.to_user END'))})`,
        ]),
    ...(sentAfter === undefined ? [] : [sql`m.sent_at >= ${sentAfter}`]),
    ...(sentBefore === undefined ? [] : [sql`m.sent_at < ${sentBefore}`]),
    ...(q === undefined ? [] : wordsIn(q).map(occurs)),
  ];
}

/** SQL: the rows of a window. Those that do not match have no payload, and are left out afterwards. */
function windowOf(window: {
  range: readonly Sql[];
  matches: readonly Sql[];
  order: 'ASC' | 'DESC';
  size: number;
  /** More columns. */
  more?: Sql;
}): Sql {
  const { range, matches, order, size, more = raw('') } = window;
  return sql`SELECT ${columns}, CASE WHEN ${allOf(matches)} THEN m.payload END AS payload, m.properties${more} FROM messages m
    WHERE ${allOf(range)} ORDER BY m.seq ${raw(order)} LIMIT ${size}`;
}

const wordsIn = (q: string): string[] =>
  [...new Set(q.split(/[\s\p{Cc}]+/v))].filter((word) => word !== '').slice(0, queryLimits.messageWords);

/** Whether a payload or its properties have a word: as it was typed, or as JSON writes it in a text. */
function occurs(word: string): Sql {
  // SQLite's `lower` knows A to Z only.
  const cases = [word, word.toLowerCase(), word.toUpperCase()];
  const forms = cases.flatMap((text) => {
    const escaped = JSON.stringify(text).slice(1, -1);
    return [text, escaped, inAscii(escaped)].map(plainLower);
  });
  return join(
    [...new Set(forms)].map(
      (form) => sql`strpos(lower(m.payload), ${form}) > 0 OR strpos(lower(m.properties), ${form}) > 0`,
    ),
    ' OR ',
  );
}

const plainLower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
/** As programs write JSON in ASCII. */
const inAscii = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * What receivers and lists read of the messages: a row for each swarm that a message was sent to. `seq` counts all rows in the order of their
 * commits, so a reader that has read up to a number has missed nothing (store/postgres/writer.ts).
 */
import type { FairQueue, Requester } from '../../core/limits/fair-queue.ts';
import { createLongReads } from '../../core/limits/long-reads.ts';
import type { Database } from '../../core/store/database.ts';
import { isForOwnerOf, isOfSender, swarmPart } from '../../core/store/messages-of-sender.ts';
import type { MessageRow } from '../../core/store/row-types.ts';
import { raw, sql, type Sql } from '../../core/store/statement.ts';
import { isOpen } from '../../core/store/visibility.ts';
import { lastOf, type MessageCursors } from './message-json.ts';
import { messageArray, type MessageArray } from './message-texts.shape.ts';
import { createSwarmReads } from './swarm-messages.store.ts';

const readAtOnce = 500;
const columns = ['seq', 'rest', 'id', 'swarm_id', 'sender_id', 'to_id', 'sent_at', 'encoding', 'properties', 'payload']
  .map((name) => `m.${name}`)
  .join(', ');
const ofAll = raw(`${columns}, m.user_id, m.to_user`);

/** Swarms, with the end of a membership; null: it has none. */
export type SwarmEnds = ReadonlyMap<string, string | null>;

/** The message `m` is for the owner of this device, which has sent it (`user_id`) or receives it (`to_user`). */
export const isForOwner = (id: string, column: 'user_id' | 'to_user' = 'user_id') =>
  sql`EXISTS (SELECT 1 FROM resources r WHERE r.id = ${id} AND ${isForOwnerOf('r', raw(`m.${column}`))})`;

/** What a device receives, without its payload. */
export interface ReceivedRow extends Pick<MessageRow, 'seq' | 'rest' | 'swarm_id' | 'sent_at'> {
  /** In bytes: what its sender has chosen. */
  size: number;
}

export type MessageReads = ReturnType<typeof createMessageReads>;

export function createMessageReads(options: { db: Database; queue: FairQueue; cursors: MessageCursors }) {
  const { db, queue, cursors } = options;
  const readsOf = createLongReads({ db, queue });
  const read = (query: Sql) => db.read<MessageRow>(query);

  return {
    ...createSwarmReads({ db, readsOf, cursors }),
    /** The swarms of which the user's device receives, and until when; undefined if the user has no such device. */
    async receivedBy({ userId, id }: { userId: string; id: string }): Promise<SwarmEnds | undefined> {
      const rows = await db.read<{ swarm_id: string | null; ends_at: string | null }>({
        sql: `SELECT m.swarm_id, m.ends_at FROM resources r
              LEFT JOIN memberships m ON m.resource_id = r.id AND m.resource_type <> 'producer' AND ${isOpen('m')}
                AND EXISTS (SELECT 1 FROM swarms s JOIN "user" o ON o.username = s.user_id WHERE s.id = m.swarm_id)
              WHERE r.id = $1 AND r.user_id = $2`,
        params: [id, userId],
        user: userId,
      });
      if (rows.length === 0) return undefined;
      return new Map(rows.flatMap(({ swarm_id, ends_at }) => (swarm_id === null ? [] : [[swarm_id, ends_at]])));
    },

    /** The newest number that a message has, or has had before it was deleted. */
    async newest(): Promise<number> {
      const [row] = await db.read<{ seq: number }>({
        sql: `SELECT greatest(coalesce((SELECT max(seq) FROM messages), 0), coalesce((SELECT seq FROM message_gaps
          WHERE swarm_id = '' AND to_id = ''), 0)) AS seq`,
      });
      return row!.seq;
    },
    /** The next rows of all swarms after a number, only whole messages. */
    async since(after: number): Promise<MessageRow[]> {
      const rows = await read(
        sql`SELECT ${ofAll} FROM messages m WHERE m.seq > ${after} ORDER BY m.seq LIMIT ${readAtOnce}`,
      );
      const last = rows.at(-1);
      if (!last || last.rest === 0) return rows;
      const others = sql`m.seq > ${last.seq} AND m.seq <= ${lastOf(last)}`;
      return rows.concat(await read(sql`SELECT ${ofAll} FROM messages m WHERE ${others} ORDER BY m.seq`));
    },
    /** The first number of these swarms after `after`. */
    async firstAfter({ swarms, after }: { swarms: readonly string[]; after: number }): Promise<number | undefined> {
      const [row] = await db.read<{ seq: number | null }>({
        sql: `SELECT min(seq) AS seq FROM (SELECT (SELECT min(seq) FROM messages
                WHERE swarm_id = own.value AND seq > $2) AS seq FROM elements($1) own) firsts`,
        params: [JSON.stringify(swarms), after],
      });
      return row?.seq ?? undefined;
    },
    /**
     * What a device receives of these swarms between two numbers, which must not be far from each other. Without the payloads: a message
     * to 100 swarms would have 100, and a client that reads slowly takes one of them.
     */
    received: ({ id, swarms, after, upTo }: { id: string; swarms: readonly string[]; after: number; upTo: number }) =>
      db.read<ReceivedRow>(sql`SELECT m.seq, m.rest, m.swarm_id, m.sent_at,
          octet_length(m.payload) + coalesce(octet_length(m.properties), 0) AS size
        FROM messages m WHERE m.seq > ${after} AND m.seq <= ${upTo}
        AND m.swarm_id IN (SELECT value FROM elements(${JSON.stringify(swarms)}))
        AND m.sender_id <> ${id} AND (m.to_id IS NULL OR m.to_id = ${id} AND ${isForOwner(id, 'to_user')}) ORDER BY m.seq`),
    /** The rows with these numbers that are still there. */
    whole: (seqs: readonly number[]) =>
      read(sql`SELECT ${ofAll} FROM messages m
        WHERE m.seq IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(seqs)})) ORDER BY m.seq`),

    /** The newest message that a device would have received of these swarms, if it had not been deleted; 0 if there is none. */
    async newestMissing({ id, swarms }: { id: string; swarms: readonly string[] }): Promise<number> {
      const [gap] = await db.read<{ seq: number | null }>({
        sql: `SELECT max(CASE WHEN g.sender_id = $2 THEN g.other_seq ELSE g.seq END) AS seq FROM elements($1) own
              JOIN message_gaps g ON g.swarm_id = own.value AND g.to_id IN ('', $2)`,
        params: [JSON.stringify(swarms), id],
      });
      return gap?.seq ?? 0;
    },

    /** The newest ones of a device, newest first, one for each swarm, as a JSON array. */
    async sentBy({ requester, id, limit }: { requester: Requester; id: string; limit: number }) {
      const reads = readsOf(requester);
      const newest = await newestSent(reads, { id, limit });
      const seqs = JSON.stringify(newest);
      const [list] = await reads.read<MessageArray>({
        ...sql`SELECT ${raw(columns)} FROM messages m
          WHERE m.seq IN (SELECT CAST(value AS bigint) FROM elements(${seqs})) AND ${isForOwner(id)} ORDER BY m.seq DESC`,
        shape: messageArray({ database: cursors.database }),
      });
      return list!.bytes;
    },
  };
}

/**
 * The numbers of the newest rows of a sender, newest first. It reads the newest one of each swarm, and then goes back only in
 * those swarms that may have more of the newest ones: about `limit` rows at once, however many swarms there are. `after`: only later rows.
 */
export async function newestSent(
  reads: Pick<Database, 'read'>,
  { id, limit, after = 0 }: { id: string; limit: number; after?: number },
) {
  const own = sql`FROM messages m WHERE ${isOfSender('m', sql`${id}`)}`;
  const part = swarmPart(raw('m.swarm_id'));
  const newest = await reads.read<{ seq: number }>(
    // Goes from one swarm, or those with the same part, to the next.
    sql`WITH RECURSIVE parts(part) AS (SELECT (SELECT min(${part}) ${own})
        UNION ALL SELECT (SELECT min(${part}) ${own} AND ${part} > parts.part) FROM parts WHERE parts.part IS NOT NULL)
      SELECT (SELECT max(m.seq) ${own} AND ${part} = parts.part) AS seq FROM parts WHERE parts.part IS NOT NULL`,
  );
  let found = newest.map(({ seq }) => seq).filter((seq) => seq > after);
  /** The numbers before which a swarm may have more. */
  let oldest = found;
  for (;;) {
    found = found.toSorted((a, b) => b - a).slice(0, limit);
    const least = found.length < limit ? after : found.at(-1)!;
    oldest = oldest.filter((seq) => seq > least);
    if (oldest.length === 0) return found;
    const most = Math.ceil(limit / oldest.length);
    const earlier = await reads.read<{ seq: number; place: number }>(
      sql`WITH RECURSIVE earlier(part, seq, place) AS (
          SELECT ${part}, m.seq, 0 FROM elements(${JSON.stringify(oldest)}) own
            JOIN messages m ON m.seq = CAST(own.value AS bigint)
          UNION ALL SELECT part, (SELECT max(m.seq) ${own}
              AND ${part} = earlier.part AND m.seq < earlier.seq AND m.seq > ${least}), place + 1
            FROM earlier WHERE seq IS NOT NULL AND place < ${most})
        SELECT seq, place FROM earlier WHERE seq IS NOT NULL AND place > 0`,
    );
    found.push(...earlier.map(({ seq }) => seq));
    oldest = earlier.flatMap(({ seq, place }) => (place === most ? [seq] : []));
  }
}

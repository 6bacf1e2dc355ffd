/** Reads the values of a device over time: those that are kept, and those of the messages that are not kept yet. */
import type { KeptValues } from '../../contract.ts';
import type { FairQueue, Requester } from '../../limits/fair-queue.ts';
import { createLongReads, type LongReads } from '../../limits/long-reads.ts';
import { valueLimits } from '../../limits/part-limits.ts';
import type { Database } from '../../store/database.ts';
import { raw, sql, type Sql } from '../../store/statement.ts';
import { readsMessagesSince, seesMembers } from '../../store/visibility.ts';
import { newestSent } from '../messages/messages.store.ts';
import { messageValues } from './message-values.shape.ts';
import { payloadOnce } from './kept-rows.store.ts';
import type { Said } from './said-values.ts';
import { valueLines, valueSeries, type LinesText, type SeriesText, type WantedSeries } from './value-series.shape.ts';

type Reads = ReturnType<LongReads>;

/** Times in ms. `swarm`: only what went to it. */
export interface ValuesAsked {
  id: string;
  requester: Requester;
  swarm?: string | undefined;
  keys?: readonly string[] | undefined;
  from: number;
  to: number;
}

/** A device, and what the user may read of it. */
export interface Readable {
  id: string;
  ref: number;
  name: string;
  keeps: KeptValues | null;
  /** When it was last switched on. */
  since: string | null;
  isFull: boolean;
  /** Undefined if the user sees all. Times in ms. */
  swarms: WantedSeries['swarms'];
}

export type ValueReads = ReturnType<typeof createValueReads>;

const dayMs = 86_400_000;
/** Of one part of a file. */
const partMs = 7 * dayMs;

export function createValueReads({ db, queue, bytesOfUser }: { db: Database; queue: FairQueue; bytesOfUser: number }) {
  const readsOf = createLongReads({ db, queue });

  return {
    /** What the user may read of a device now, or of what it sent to a swarm; undefined if the user does not see it there. */
    async readable(asked: Pick<ValuesAsked, 'id' | 'requester' | 'swarm'>): Promise<Readable | undefined> {
      const { id, requester, swarm } = asked;
      const { user } = requester;
      const reads = readsOf(requester);
      const [device] = await reads.read<DeviceRow>(
        sql`SELECT ref, name, user_id, keep_values, values_since,
          CASE WHEN user_id = ${user} THEN (SELECT amount FROM usage WHERE usage.user_id = ${user} AND kind = 'value_bytes') END AS bytes
          FROM resources WHERE id = ${id}`,
      );
      if (!device) return undefined;
      const { ref, name, keep_values: keeps, bytes } = device;
      const since = keeps === null ? null : device.values_since;
      const found = { id, ref, name, keeps, since, isFull: (bytes ?? 0) > 0.95 * bytesOfUser };
      const isOwn = device.user_id === user;
      if (isOwn && swarm === undefined) return { ...found, swarms: undefined };
      const swarms = await readSwarms(reads, { id, user, swarm, isOwn });
      return swarm !== undefined && swarms.length === 0 ? undefined : { ...found, swarms };
    },

    /** `leastStep`: in seconds. */
    async series(device: Readable, asked: ValuesAsked & { leastStep: number }): Promise<SeriesText> {
      const reads = readsOf(asked.requester);
      const [text] = await reads.read<SeriesText>({
        ...keptOf(device, asked),
        shape: valueSeries(await wantedOf(reads, device, asked)),
      });
      return text!;
    },

    /** The lines of a file, in parts. `mayRead` is called before each: what the user may read then. */
    async *lines(asked: ValuesAsked, mayRead: () => Promise<Readable>): AsyncGenerator<LinesText, void> {
      const { from: first, to: last } = asked;
      const reads = readsOf(asked.requester);
      for (let from = first; from <= last; from += partMs) {
        const device = await mayRead();
        const part = { ...asked, from, to: Math.min(last, from + partMs - 1), leastStep: 0 };
        const [lines] = await reads.read<LinesText>({
          ...keptOf(device, part),
          shape: valueLines(await wantedOf(reads, device, part)),
        });
        yield lines!;
      }
    },
  };
}

interface DeviceRow {
  ref: number;
  name: string;
  user_id: string;
  keep_values: KeptValues | null;
  values_since: string | null;
  bytes: number | null;
}

/** The swarms of the device whose messages the user may read, and since when both were in them. */
async function readSwarms(
  reads: Reads,
  { id, user, swarm, isOwn }: { id: string; user: string; swarm: string | undefined; isOwn: boolean },
) {
  const reader = sql`${user}`;
  // The owner of a device reads what it has sent.
  const since = isOwn ? raw(`''`) : readsMessagesSince(reader);
  const rows = await reads.read<{ id: string; since: string }>(
    sql`SELECT * FROM (SELECT s.id, greatest(m.member_since, ${since}) AS since FROM memberships m JOIN swarms s ON s.id = m.swarm_id
        WHERE m.resource_id = ${id} AND ${swarm === undefined ? raw('true') : sql`s.id = ${swarm}`}
          AND ${seesMembers({ user: reader, swarm: raw('s.id') })}) readable WHERE since < '9999'`,
  );
  return rows.map(({ id: of, since: at }) => ({ id: of, since: Date.parse(at) }));
}

/** In one statement, so that no value is in two of its rows, or in none. */
function keptOf({ ref }: Readable, { from, to }: Pick<ValuesAsked, 'from' | 'to'>): Sql {
  return sql`SELECT NULL AS step, NULL AS audience, NULL AS content, d.open, d.audiences, c.seq AS cursor
      FROM resources r LEFT JOIN device_values d ON d.ref = r.ref LEFT JOIN value_cursor c ON r.keep_values IS NOT NULL WHERE r.ref = ${ref}
    UNION ALL SELECT step, audience, content, NULL, NULL, NULL FROM value_blocks
      WHERE ref = ${ref} AND ends > CAST(${from} AS bigint) - step * 1000 AND starts <= ${to}`;
}

async function wantedOf(
  reads: Reads,
  device: Readable,
  { keys, from, to, leastStep }: ValuesAsked & { leastStep: number },
): Promise<WantedSeries> {
  return { keys, from, to, leastStep, swarms: device.swarms, said: await readSaid(reads, device, from) };
}

/** What the newest messages of a device say; of a device whose values are kept, those that the job has not read. */
async function readSaid(reads: Reads, { id, keeps, since }: Readable, from: number): Promise<Said[]> {
  const [kept] = keeps === null ? [] : await reads.read<{ seq: number }>(sql`SELECT seq FROM value_cursor`);
  const after = kept?.seq ?? 0;
  const seqs = (await newestSent(reads, { id, limit: valueLimits.messages, after })).toReversed();
  const said: Said[] = [];
  const options = { keeps: keeps ?? 'sent_at', since: since === null ? 0 : Date.parse(since) };
  for (let start = 0, end = 0; start < seqs.length; start = end) {
    end = Math.min(seqs.length, start + valueLimits.messagesAtOnce);
    // The rows of one message follow each other: they are read together.
    while (end < seqs.length && end < start + 2 * valueLimits.messagesAtOnce && seqs[end] === seqs[end - 1]! + 1)
      end += 1;
    const some = JSON.stringify(seqs.slice(start, end));
    said.push(
      ...(await reads.read<Said>({
        ...sql`SELECT m.seq, m.id, m.swarm_id, m.sent_at, ${raw(payloadOnce)} FROM messages m
          WHERE m.seq IN (SELECT CAST(value AS bigint) FROM elements(${some})) AND m.to_id IS NULL AND coalesce(m.encoding, 'text') = 'text'
            AND m.sent_at >= ${new Date(keeps === 'time' ? 0 : Math.max(0, from)).toISOString()} ORDER BY m.seq`,
        shape: messageValues(options),
      })),
    );
  }
  return said;
}

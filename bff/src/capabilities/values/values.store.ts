/** Reads the values of a device over time: those that are recorded, and those of the messages that the job has not read. */
import type { KeptValues } from '../../contract.ts';
import { dayMs, hourMs } from '../../core/limits/durations.ts';
import type { FairQueue, Requester } from '../../core/limits/fair-queue.ts';
import { createLongReads, type LongReads } from '../../core/limits/long-reads.ts';
import { valueLimits } from './limits.ts';
import type { Database } from '../../core/store/database.ts';
import { raw, sql, type Sql } from '../../core/store/statement.ts';
import { isOpen, readsMessagesSince, seesMembers } from '../../core/store/visibility.ts';
import { isForOwner, newestSent } from '../messages/messages.store.ts';
import { payloadOnce } from './value-rows.store.ts';
import { stepsOfAnswers } from './answer-series.ts';
import { readKnownKeys } from './recorded-keys.ts';
import { lastSeries } from './last-series.shape.ts';
import { joinSeries, type SeriesText } from './series-text.ts';
import { valueLines, valueSeries, type LinesText, type SeriesAsked, type SeriesTexts } from './value-series.shape.ts';

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
  /** In ms: since when it has had its own times, if they began later. */
  timesSince: number | null;
  isFull: boolean;
  /** To the owner: keys that are not recorded, and those that the owner has chosen. */
  leftOut: readonly string[];
  chosen: readonly string[] | null;
  /** Undefined if the user sees all. Times in ms. */
  swarms: SeriesAsked['swarms'];
}

export type ValueReads = ReturnType<typeof createValueReads>;

/** The time of a part of a file: it becomes longer while parts have few lines, and as long as its lines if they are too many. */
const [leastSpanMs, firstSpanMs, mostSpanMs] = [1000, 60_000, 28 * dayMs];
const spanGrowth = 4;
const {
  fullFrom,
  lastMessages,
  linesAtOnce,
  messages: mostMessages,
  messageBytes,
  pointsOfSeries,
  stepsAtOnce,
} = valueLimits;

export function createValueReads(options: { db: Database; queue: FairQueue; bytesOfUser: number; now: () => Date }) {
  const { db, queue, bytesOfUser, now } = options;
  const readsOf = createLongReads({ db, queue });

  return {
    /** What the user may read of a device now, or of what it sent to a swarm; undefined if the user does not see it there. */
    async readable(asked: Pick<ValuesAsked, 'id' | 'requester' | 'swarm'>): Promise<Readable | undefined> {
      const { id, requester, swarm } = asked;
      const { user } = requester;
      const reads = readsOf(requester);
      const [device] = await reads.read<DeviceRow>(
        sql`SELECT resources.ref, name, resources.user_id, keep_values, values_since, d.times_since, d.known_keys, d.chosen_keys,
          CASE WHEN resources.user_id = ${user} THEN (SELECT amount FROM usage WHERE usage.user_id = ${user} AND kind = 'value_bytes') END AS bytes
          FROM resources LEFT JOIN device_values d ON d.ref = resources.ref WHERE id = ${id}`,
      );
      if (!device) return undefined;
      const { ref, name, keep_values: keeps, times_since: timesSince, bytes } = device;
      const since = keeps === null ? null : device.values_since;
      const isOwn = device.user_id === user;
      const known = isOwn ? readKnownKeys(device.known_keys ?? '') : [];
      const leftOut = [...new Set(known.filter(({ isRecorded }) => !isRecorded).map(({ key }) => key))].sort();
      const chosen = isOwn && device.chosen_keys !== null ? (JSON.parse(device.chosen_keys) as string[]) : null;
      const found = {
        id,
        ref,
        name,
        leftOut,
        chosen,
        keeps,
        since,
        timesSince,
        isFull: (bytes ?? 0) > fullFrom * bytesOfUser,
      };
      if (isOwn && swarm === undefined) return { ...found, swarms: undefined };
      const swarms = await readSwarms(reads, { id, user, swarm, isOwn });
      return swarm !== undefined && swarms.length === 0 ? undefined : { ...found, swarms };
    },

    /** `leastStep`: in seconds. */
    async series(device: Readable, asked: ValuesAsked & { leastStep: number }): Promise<SeriesText> {
      const reads = readsOf(asked.requester);
      const { step, ranges } = rangesOf(await readSizes(reads, device, asked), asked, now().getTime());
      const unreadOf = await readUnreadFrom(reads, device);
      const texts: SeriesTexts[] = [];
      for (const [index, { from, to, most }] of ranges.entries()) {
        const range = { ...asked, from, to };
        const [text] = await reads.read<SeriesTexts>({
          ...storedOf(device, { ...range, unread: unreadOf(to), isLater: index > 0 }),
          shape: valueSeries({
            ...seriesAsked(device, range),
            leastStep: asked.leastStep,
            step,
            most,
            begun: texts.at(-1)?.begun,
            goesOn: index < ranges.length - 1,
          }),
        });
        texts.push(text!);
      }
      return joinSeries(texts);
    },

    /** The last value of each key, however old: of what is recorded, and of the newest messages. */
    async last(device: Readable, asked: Omit<ValuesAsked, 'from' | 'to'>): Promise<SeriesText> {
      const reads = readsOf(asked.requester);
      const sinceEver = { ...asked, from: 0, to: now().getTime() };
      const unread = await readUnread(reads, device, lastMessages);
      const [text] = await reads.read<SeriesText>({
        ...lastOf(device, { ...sinceEver, unread }),
        shape: lastSeries(seriesAsked(device, sinceEver)),
      });
      return text!;
    },

    /**
     * The lines of a file, oldest first, in parts. `mayRead` is called before each: what the user may read then. Undefined: no more of this
     * device. `between`: the cells between the time and the key.
     */
    async *lines(
      asked: ValuesAsked,
      {
        mayRead,
        between,
      }: { mayRead: () => Promise<Readable | undefined>; between: (device: Readable) => readonly string[] },
    ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
      const reads = readsOf(asked.requester);
      let unreadOf: Awaited<ReturnType<typeof readUnreadFrom>> | undefined;
      let place = { from: asked.from, skip: 0 };
      // A file until the year 9999 would be read in 100,000 empty parts. Nothing is much later than now: only what was sent by a clock that is ahead.
      const until = Math.min(asked.to, now().getTime() + dayMs);
      for (let spanMs = firstSpanMs; place.from <= until;) {
        const { from, skip } = place;
        const device = await mayRead();
        if (!device) return;
        unreadOf ??= await readUnreadFrom(reads, device);
        const range = { ...asked, from, to: Math.min(until, from + spanMs - 1) };
        const [lines] = await reads.read<LinesText>({
          ...storedOf(device, { ...range, unread: unreadOf(range.to), isLater: true }),
          shape: valueLines({ ...seriesAsked(device, range), skip, most: linesAtOnce, between: between(device) }),
        });
        yield lines!.bytes;
        if (lines!.next) spanMs = Math.max(leastSpanMs, lines!.next.from - from);
        else if (lines!.count < linesAtOnce / spanGrowth) spanMs = Math.min(mostSpanMs, spanMs * spanGrowth);
        place = lines!.next ?? { from: range.to + 1, skip: 0 };
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
  times_since: number | null;
  bytes: number | null;
  known_keys: string | null;
  chosen_keys: string | null;
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
          AND ${raw(isOpen('m'))} AND ${seesMembers({ user: reader, swarm: raw('s.id') })}) readable WHERE since < '9999'`,
  );
  return rows.map((row) => ({ id: row.id, since: Date.parse(row.since) }));
}

interface Size {
  starts: number;
  ends: number;
  /** The longest step of these blocks, in seconds. */
  step: number;
  /** The end of the last of those blocks that have steps. */
  stepEnds: number | null;
  /** In steps that cost as much to read. */
  steps: number;
}

/** What the blocks of a device cost to read, by the hours in which they begin. A block costs as much as a hundred steps, a message with many values as ten. */
const readSizes = (reads: Reads, { ref }: Readable, { from, to }: Pick<ValuesAsked, 'from' | 'to'>) =>
  reads.read<Size>(
    sql`SELECT min(starts) AS starts, max(ends) AS ends, max(step) AS step, max(CASE WHEN step > 0 THEN ends END) AS "stepEnds",
        sum(100 + CASE WHEN step = 0 THEN 10 * points ELSE points END) AS steps FROM value_blocks
      WHERE ref = ${ref} AND ends > CAST(${from} AS bigint) - step * 1000 AND starts <= ${to}
      GROUP BY starts / ${raw(String(hourMs))} ORDER BY 1`,
  );

/** The ranges of time in which an answer is read, so that no read takes the reader for long, and their common step if there are several. */
function rangesOf(
  sizes: readonly Size[],
  { from, to, leastStep }: { from: number; to: number; leastStep: number },
  now: number,
): { step: number | undefined; ranges: { from: number; to: number; most?: number }[] } {
  if (sizes.reduce((sum, { steps }) => sum + steps, 0) <= stepsAtOnce)
    return { step: undefined, ranges: [{ from, to }] };
  const first = Math.max(from, sizes[0]!.starts);
  const span = Math.max(1, Math.min(to, now) - first);
  // Ranges may have one more each.
  const fitting = (0.9 * pointsOfSeries) / span;
  const least = Math.max(leastStep, ...sizes.map(({ step }) => step));
  const step = stepsOfAnswers.find((each) => each >= least && 1 / (each * 1000) <= fitting) ?? stepsOfAnswers.at(-1)!;
  const starts = [from];
  let [steps, stepEnds] = [0, -Infinity];
  for (const size of sizes) {
    const cut = Math.floor(size.starts / hourMs) * hourMs;
    // A block of steps is read once.
    if (steps > 0 && steps + size.steps > stepsAtOnce && cut > stepEnds && cut > starts.at(-1)!) {
      starts.push(cut);
      steps = 0;
    }
    steps += size.steps;
    stepEnds = Math.max(stepEnds, size.stepEnds ?? -Infinity);
  }
  const ranges = starts.map((start, index) => {
    const endsAt = starts[index + 1] ?? to + 1;
    const most = Math.ceil((endsAt - Math.max(start, first)) * fitting) + 1;
    return { from: start, to: endsAt - 1, most };
  });
  return { step, ranges };
}

const seriesAsked = ({ keeps, since, timesSince, swarms }: Readable, { keys, from, to }: ValuesAsked): SeriesAsked => ({
  keys,
  from,
  to,
  swarms,
  keeps: keeps ?? 'sent_at',
  since: since === null ? 0 : Date.parse(since),
  timesSince,
});

/** The newest messages of a device; of one that records, those that the job has not read. */
async function readUnread(reads: Reads, { id, keeps }: Readable, limit: number = mostMessages): Promise<number[]> {
  const [recorded] = keeps === null ? [] : await reads.read<{ seq: number }>(sql`SELECT seq FROM value_cursor`);
  return newestSent(reads, { id, limit, after: recorded?.seq ?? 0 });
}

/**
 * Reads once for several parts which messages are not recorded. Returns a function that says which of them are for a part that ends at `to`,
 * in ms: none if it ends before all of them were sent. Each part leaves out those that were recorded since.
 */
async function readUnreadFrom(reads: Reads, device: Readable): Promise<(to: number) => readonly number[]> {
  const unread = await readUnread(reads, device);
  // Their own times may be any.
  if (unread.length === 0 || device.keeps !== 'sent_at') return () => unread;
  const [oldest] = await reads.read<{ sent_at: string }>(
    sql`SELECT min(sent_at) AS sent_at FROM messages WHERE seq IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(unread)}))`,
  );
  const first = Date.parse(oldest!.sent_at);
  return (to) => (to < first ? [] : unread);
}

interface StoredOptions extends Pick<ValuesAsked, 'from' | 'to'> {
  /** The steps that begin before this part were in another one. */
  isLater?: boolean;
  /** The numbers of the rows of messages; the newest ones are read, so many bytes of them. */
  unread: readonly number[];
}

/** What is stored of a device, and messages that are not recorded. In one statement, so that no value is in two of its rows, or in none. */
function storedOf(device: Readable, options: StoredOptions): Sql {
  const { from, to, isLater = false } = options;
  const isHere = isLater ? sql`ends >= ${from}` : sql`ends > CAST(${from} AS bigint) - step * 1000`;
  return sql`SELECT d.open, d.audiences, NULL AS step, NULL AS audience, NULL AS content,
        NULL AS seq, NULL AS id, NULL AS swarm_id, NULL AS sent_at, NULL AS payload
      FROM resources r LEFT JOIN device_values d ON d.ref = r.ref WHERE r.ref = ${device.ref}
    UNION ALL SELECT NULL, NULL, step, audience, content,
        CAST(NULL AS bigint), CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text) FROM value_blocks
      WHERE ref = ${device.ref} AND ${isHere} AND starts <= ${to}
    UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, ${unrecordedOf(device, options)}`;
}

/** The last values of a device, and messages that are not recorded. */
function lastOf(device: Readable, options: StoredOptions): Sql {
  return sql`SELECT d.last, d.audiences, NULL AS seq, NULL AS id, NULL AS swarm_id, NULL AS sent_at, NULL AS payload
      FROM resources r LEFT JOIN device_values d ON d.ref = r.ref WHERE r.ref = ${device.ref}
    UNION ALL SELECT NULL, NULL, ${unrecordedOf(device, options)}`;
}

function unrecordedOf({ id, keeps }: Readable, { from, to, unread }: StoredOptions): Sql {
  const isUnread = keeps === null ? raw('true') : sql`m.seq > coalesce((SELECT seq FROM value_cursor), 0)`;
  const isInRange =
    keeps === 'time'
      ? raw('true')
      : sql`m.sent_at >= ${new Date(Math.max(0, from)).toISOString()} AND m.sent_at <= ${new Date(to).toISOString()}`;
  return sql`m.seq, m.id, m.swarm_id, m.sent_at, ${raw(payloadOnce)} FROM messages m
      WHERE m.seq IN (SELECT seq FROM (SELECT seq, sum(octet_length(payload)) OVER (ORDER BY seq DESC ROWS UNBOUNDED PRECEDING) AS bytes
          FROM messages WHERE seq IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(unread)}))) newest WHERE bytes <= ${messageBytes})
        AND m.to_id IS NULL AND coalesce(m.encoding, 'text') = 'text' AND ${isUnread} AND ${isInRange} AND ${isForOwner(id)}`;
}

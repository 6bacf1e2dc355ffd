/**
 * The job that records values. It reads the messages behind its cursor in windows, and stores their values and the cursor in one commit: nothing is
 * stored twice, and nothing is lost that the messages still have. One process has the lease of the job. Sending waits for none of it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { valueJob } from '../../limits/part-limits.ts';
import type { FairQueue } from '../../limits/fair-queue.ts';
import { createLongReads } from '../../limits/long-reads.ts';
import { reportedOnce } from '../../limits/outage.ts';
import { shareNextRun } from '../../limits/share-next-run.ts';
import type { Database } from '../../store/database.ts';
import { createLease, leaseMs } from '../../store/lease.ts';
import { isForOwnerOf } from '../../store/messages-of-sender.ts';
import { raw, sql, type Statement } from '../../store/statement.ts';
import type { UnreadMessages } from '../messages/delete.store.ts';
import { compactOldest } from './compact-values.store.ts';
import { addPast } from './past-values.store.ts';
import { recordedValues, type RecordedResult, type ValueBlock } from './recorded-values.shape.ts';
import {
  emptyOpen,
  insertBlock,
  lockDevices,
  countMissed,
  payloadOnce,
  upsertDevices,
  type RecordingDeps,
} from './value-rows.store.ts';

/** For another process that reads. */
const retryPolicy = { eachMs: 500, tries: 10 };
/** A line to all processes: messages that were not read are about to be deleted. */
const dueLine = 'values due';

export function createValueRecorder(options: {
  db: Database;
  queue: FairQueue;
  /** The bytes that the recorded values of a user may have. */
  bytesOfUser: number;
  /** A command of the operator records nothing by itself. */
  isCommand: boolean;
  now: () => Date;
  newId: () => string;
  report: (error: unknown) => void;
}) {
  const { db, queue, bytesOfUser, isCommand, now, newId, report } = options;
  const lease = createLease({ db, name: 'values', holder: newId() });
  let isClosed = false;
  let compactedAt = -Infinity;
  let skippedAt = -Infinity;
  /** As this process knows it. */
  let cursor = 0;
  let leasedAt = -Infinity;
  /** Renews it in time: not with each window, because that is a commit. */
  async function takeLease(): Promise<boolean> {
    const at = now().getTime();
    if (Math.abs(at - leasedAt) < leaseMs / 4) return true;
    const isTaken = await lease.take(at);
    leasedAt = isTaken ? at : -Infinity;
    return isTaken;
  }
  const deps: RecordingDeps = { db, queue, holdsLease: lease.holds, takeLease, isStopping: () => isClosed };

  /** Not with each trim of messages: that would be a commit for some thousand of them. */
  async function skip(): Promise<void> {
    const at = now().getTime();
    if (Math.abs(at - skippedAt) < valueJob.everyMs) return;
    skippedAt = at;
    await skipToNewest(db);
  }

  async function run(): Promise<void> {
    if (isClosed) return;
    if (!(await isAnyRecorded(db))) return skip();
    ({ cursor } = await readCursor(db));
    if (!(await takeLease())) return;
    const crowded = new Set<number>();
    for (;;) {
      const window = await recordWindow(deps, cursor);
      if (!window) {
        leasedAt = -Infinity;
        return;
      }
      ({ cursor } = window);
      for (const ref of window.packed) crowded.add(ref);
      if (window.isLast || isClosed) break;
      if (!(await takeLease())) return;
    }
    const at = now().getTime();
    const isDue = Math.abs(at - compactedAt) >= valueJob.compactEveryMs;
    if (isDue) compactedAt = at;
    await compactOldest(deps, { now: at, bytesOfUser, crowded: [...crowded], isDue });
  }

  const runOnce = shareNextRun(reportedOnce(run, report));
  const timer = isCommand ? undefined : setInterval(() => void runOnce(), valueJob.everyMs).unref();
  const unsubscribe = db.onAnnounced((line) => {
    if (line === dueLine && !isCommand) void runOnce();
  });

  async function readUntilNow(stopping: AbortSignal): Promise<void> {
    if (!(await isAnyRecorded(db))) return;
    const newest = await readNewest(db);
    for (let tries = 0; tries < retryPolicy.tries && !stopping.aborted; tries++) {
      await runOnce();
      if (cursor >= newest) return;
      // Another process has the lease.
      db.announce(dueLine);
      await delay(retryPolicy.eachMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
    }
  }

  /** What the deletion of messages asks. */
  const unread: UnreadMessages = {
    cursor: () => cursor,
    due: () => db.announce(dueLine),
    read: readUntilNow,
    countDeleted: countMissed,
  };

  return {
    /** Reads all messages that were sent before the call, if this process has the lease or nobody has it. */
    run: runOnce,
    unread,
    addPast: (past: Parameters<typeof addPast>[1]) => addPast(db, past),
    /** The messages that the job has not read, and those that were deleted before. */
    async measure(): Promise<{ behind: number; missed: number }> {
      const [found] = await db.read<{ behind: number; missed: number }>({
        sql: `SELECT coalesce((SELECT max(seq) FROM messages), 0) - seq AS behind, missed FROM value_cursor`,
      });
      return found ? { behind: Math.max(0, found.behind), missed: found.missed } : { behind: 0, missed: 0 };
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      unsubscribe();
      await runOnce();
    },
  };
}

async function readCursor(db: Database): Promise<{ cursor: number }> {
  const [found] = await db.read<{ seq: number }>({ sql: 'SELECT seq FROM value_cursor' });
  return { cursor: found?.seq ?? 0 };
}

async function readNewest(db: Database): Promise<number> {
  const [newest] = await db.read<{ seq: number }>({ sql: 'SELECT coalesce(max(seq), 0) AS seq FROM messages' });
  return newest!.seq;
}

async function isAnyRecorded(db: Database): Promise<boolean> {
  return (await db.read({ sql: 'SELECT 1 FROM resources WHERE keep_values IS NOT NULL LIMIT 1' })).length > 0;
}

/** No device records. One that begins sends newer messages. */
async function skipToNewest(db: Database): Promise<void> {
  const { cursor } = await readCursor(db);
  if ((await readNewest(db)) === cursor) return;
  await db.write([
    {
      sql: `INSERT INTO value_cursor (id, seq, missed) SELECT 1, coalesce((SELECT max(seq) FROM messages), 0), 0
            WHERE NOT EXISTS (SELECT 1 FROM resources WHERE keep_values IS NOT NULL)
            ON CONFLICT (id) DO UPDATE SET seq = excluded.seq`,
    },
  ]);
}

/** The text of the newest points is not read, but for those that are packed: new points are appended to it. */
const columns =
  raw(`m.seq, m.id, m.swarm_id, m.sent_at, ${payloadOnce}, r.ref, r.user_id, r.keep_values, r.values_since,
  CASE WHEN octet_length(d.open) > ${valueJob.openLength} THEN d.open END AS open, d.opened_at, d.last, d.audiences`);

/** Stores the values of the next rows of messages. Undefined if another process has done it, or has the lease. */
async function recordWindow({ db, queue, holdsLease }: RecordingDeps, cursor: number) {
  // The job takes turns with the reads of users, as a user with an empty name.
  const reads = createLongReads({ db, queue })({ user: '' });
  const [bounds] = await reads.read<{ upTo: number | null; rows: number }>(
    // Rows of one message are written together.
    sql`SELECT max(seq + rest) AS "upTo", count(*) AS rows FROM (SELECT seq, rest FROM messages WHERE seq > ${cursor}
      ORDER BY seq LIMIT ${valueJob.window}) next`,
  );
  const { upTo, rows } = bounds!;
  if (upTo === null) return { cursor, isLast: true, packed: [] };
  const results = await reads.read<RecordedResult>({
    ...sql`SELECT ${columns} FROM messages m
      JOIN /*in this order*/ resources r ON r.id = m.sender_id AND r.keep_values IS NOT NULL
        AND (${isForOwnerOf('r', raw('m.user_id'))} OR r.values_since < r.owner_since)
      LEFT JOIN device_values d ON d.ref = r.ref
      WHERE m.seq > ${cursor} AND m.seq <= ${upTo} AND m.to_id IS NULL AND coalesce(m.encoding, 'text') = 'text' ORDER BY m.seq`,
    shape: recordedValues({}),
  });
  // The bytes of users are counted in one order.
  const devices = results
    .flatMap((result) => ('device' in result ? [result.device] : []))
    .sort((a, b) => (a.user_id < b.user_id ? -1 : Number(a.user_id > b.user_id)));
  const blocks = results.filter((result): result is ValueBlock => 'bytes' in result);
  const written = await db.write([
    holdsLease,
    ...(devices.length > 0 ? [lockDevices(devices)] : []),
    ...emptyOpen(devices.filter(({ isPacked }) => isPacked)),
    ...upsertDevices(devices, upTo),
    ...blocks.map(insertBlock),
    // Its cost: other writes in the same batch wait for it.
    { ...moveCursor({ from: cursor, to: upTo }), rows: devices.length },
  ]);
  if (!written.ok) return undefined;
  return { cursor: upTo, isLast: rows < valueJob.window, packed: new Set(blocks.map(({ ref }) => ref)) };
}

const moveCursor = ({ from, to }: { from: number; to: number }): Statement<'moved'> => ({
  ...sql`INSERT INTO value_cursor (id, seq, missed) VALUES (1, ${to}, 0)
    ON CONFLICT (id) DO UPDATE SET seq = excluded.seq WHERE value_cursor.seq = ${from}`,
  orFail: 'moved',
});

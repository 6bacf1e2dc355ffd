/**
 * The job that records values. It reads the messages behind its cursor in windows, and stores their values and the cursor in one commit: nothing is
 * stored twice, and nothing is lost that the messages still have. One process has the lease of the job. Sending waits for none of it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { valueJob } from './limits.ts';
import type { FairQueue } from '../../core/limits/fair-queue.ts';
import { createLongReads } from '../../core/limits/long-reads.ts';
import { reportedOnce } from '../../core/limits/outage.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import type { Database } from '../../core/store/database.ts';
import { createLease, leaseMs } from '../../core/store/lease.ts';
import { isForOwnerOf } from '../../core/store/messages-of-sender.ts';
import { raw, sql, type Sql, type Statement } from '../../core/store/statement.ts';
import type { UnreadMessages } from '../messages/delete.store.ts';
import { compactOldest } from './compact-values.store.ts';
import { addPast } from './past-values.store.ts';
import { recordedValues, type RecordedResult, type ValueBlock } from './recorded-values.shape.ts';
import {
  chooseKeys,
  emptyOpen,
  forUser,
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
  /** Somebody waits for the next run. */
  let isAwaited = false;
  /** Devices that have new blocks. */
  const crowded = new Set<number>();
  /** Renews it in time: not with each window, because that is a commit. */
  async function takeLease(): Promise<boolean> {
    const at = now().getTime();
    if (Math.abs(at - leasedAt) < leaseMs / 4) return true;
    const isTaken = await lease.take(at);
    leasedAt = isTaken ? at : -Infinity;
    return isTaken;
  }
  const deps: RecordingDeps = {
    db,
    queue,
    holdsLease: lease.holds,
    takeLease,
    isStopping: () => isClosed,
    isAwaited: () => isAwaited,
    report,
    lastUsers: new Map(),
  };

  /** Not with each trim of messages: that would be a commit for some thousand of them. */
  async function skip(): Promise<void> {
    const at = now().getTime();
    if (Math.abs(at - skippedAt) < valueJob.everyMs) return;
    skippedAt = at;
    await skipToNewest(db);
  }

  async function run(): Promise<void> {
    isAwaited = false;
    if (isClosed) return;
    if (!(await isAnyRecorded(db))) return skip();
    ({ cursor } = await readCursor(db));
    if (!(await takeLease())) return;
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
    await compactOldest(deps, { now: at, bytesOfUser, crowded, isDue });
    // The next run goes on with it.
    if (isDue && isAwaited) compactedAt = -Infinity;
  }

  const runNext = shareNextRun(reportedOnce(run, report));
  /** A round of compaction ends early for it: values of all users are recorded in time, however much there is to compact. */
  const runOnce = () => {
    isAwaited = true;
    return runNext();
  };
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
    choose: (chosen: Parameters<typeof chooseKeys>[1]) => chooseKeys(db, chosen),
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
  CASE WHEN octet_length(d.open) > ${valueJob.openLength} THEN d.open END AS open, d.opened_at, d.last, d.audiences, d.times_since, d.known_keys, d.chosen_keys`);

/** The rows of messages of one read. */
interface Window {
  from: number;
  to: number;
}

/** Stores the values of the next rows of messages. Undefined if another process has done it, or has the lease. */
async function recordWindow(deps: RecordingDeps, cursor: number) {
  const [bounds] = await readsOf(deps).read<{ upTo: number | null; newest: number | null; rows: number }>(
    // Rows of one message are written together.
    sql`SELECT max(CASE WHEN bytes <= ${valueJob.windowBytes} THEN seq + rest END) AS "upTo", max(seq + rest) AS newest, count(*) AS rows FROM (
        SELECT seq, rest, sum(octet_length(payload)) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) - octet_length(payload) AS bytes
        FROM (SELECT seq, rest, coalesce(payload, '') AS payload FROM messages WHERE seq > ${cursor} ORDER BY seq LIMIT ${valueJob.window}) next) counted`,
  );
  const { upTo, newest, rows } = bounds!;
  if (upTo === null) return { cursor, isLast: true, packed: [] };
  const window = { from: cursor, to: upTo };
  const isLast = rows < valueJob.window && upTo === newest;
  const packed =
    (await forUser(deps, () => recordRows(deps, window, moveCursor(window)))) ?? (await recordByUser(deps, window));
  return packed && { cursor: upTo, isLast, packed };
}

/** The job takes turns with the reads of users, as a user with an empty name. */
const readsOf = ({ db, queue }: RecordingDeps) => createLongReads({ db, queue })({ user: '' });

const rowsOf = ({ from, to }: Window) => sql`messages m
  JOIN /*in this order*/ resources r ON r.id = m.sender_id AND r.keep_values IS NOT NULL
    AND (${isForOwnerOf('r', raw('m.user_id'))} OR r.values_since < r.owner_since)
  LEFT JOIN device_values d ON d.ref = r.ref
  WHERE m.seq > ${from} AND m.seq <= ${to} AND m.seq > coalesce(d.seq, 0)
    AND m.to_id IS NULL AND coalesce(m.encoding, 'text') = 'text'`;

/** Returns the devices that have new blocks; false if another process has moved the cursor, or has the lease. */
async function recordRows(
  deps: RecordingDeps,
  window: Window,
  last: Statement<'lost' | 'moved'>,
  ofUser: Sql = raw('true'),
): Promise<ReadonlySet<number> | false> {
  const { db, holdsLease } = deps;
  const results = await readsOf(deps).read<RecordedResult>({
    ...sql`SELECT ${columns} FROM ${rowsOf(window)} AND ${ofUser} ORDER BY m.seq`,
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
    ...upsertDevices(devices, window.to),
    ...blocks.map(insertBlock),
    // Its cost: other writes in the same batch wait for it.
    { ...last, rows: devices.length },
  ]);
  return written.ok && new Set(blocks.map(({ ref }) => ref));
}

/**
 * The same when it has failed: each user by itself. A user's values that fail again are left out, and counted. What a process has written before it ends
 * is not written again: a row of a device has the last row of messages that was read with it.
 */
async function recordByUser(deps: RecordingDeps, window: Window): Promise<ReadonlySet<number> | false> {
  const users = await readsOf(deps).read<{ user_id: string; messages: number }>(
    sql`SELECT r.user_id, count(DISTINCT m.id) AS messages FROM ${rowsOf(window)} GROUP BY r.user_id ORDER BY r.user_id`,
  );
  const packed = new Set<number>();
  let missed = 0;
  for (const { user_id, messages } of users) {
    const done = await forUser(deps, () => recordRows(deps, window, deps.holdsLease, sql`r.user_id = ${user_id}`));
    if (done === false) return false;
    for (const ref of done ?? []) packed.add(ref);
    if (!done) missed += messages;
  }
  const moved = await deps.db.write([deps.holdsLease, moveCursor(window, missed)]);
  return moved.ok && packed;
}

const moveCursor = ({ from, to }: Window, missed = 0): Statement<'moved'> => ({
  ...sql`INSERT INTO value_cursor (id, seq, missed) VALUES (1, ${to}, ${missed})
    ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, missed = value_cursor.missed + excluded.missed WHERE value_cursor.seq = ${from}`,
  orFail: 'moved',
});

/**
 * What is kept of messages: each swarm has an allowance out of what its owner may have, and each user one for all that the user's
 * devices have sent. After a fraction of an allowance was sent, what is beyond it is deleted. If all users together have too much, the allowance of a
 * user is smaller (total-bytes.store.ts).
 */
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import { BoundedMap } from '../../core/limits/bounded-map.ts';
import { hourMs } from '../../core/limits/durations.ts';
import type { FairQueue } from '../../core/limits/fair-queue.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { createLongReads } from '../../core/limits/long-reads.ts';
import { messagesMemory } from './limits.ts';
import type { Quotas } from '../../core/limits/quotas.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import type { Database } from '../../core/store/database.ts';
import type { MessageRow } from '../../core/store/row-types.ts';
import { bytesOfMessage } from '../../core/store/schema/message-bytes.ts';
import { always, raw, sql, type Sql } from '../../core/store/statement.ts';
import { beyondShare } from './beyond-share.shape.ts';
import {
  deleteLeft,
  deleteOf,
  deleteReplaced,
  deleteRows,
  isReplaced,
  scopes,
  type DeletionDeps,
  type MessageScope,
} from './delete.store.ts';
import { sizeOf } from './message-json.ts';

const { keptBytes, sharedBytes, rowBytes } = messageLimits;
/** Rows of a swarm after which what is beyond its allowance is deleted, or after a quarter of its rows or of its bytes. */
const trimEvery = 4000;
/** A user's bytes are looked at after this fraction of the allowance was sent. */
const checksPerAllowance = 16;
/** What a process knows nothing of is looked at soon, because another process, or this one before its restart, may have sent much. */
const progressAtFirst = 0.95;
/** Rows of all users that are looked at together for the oldest ones of one. */
const walkedAtOnce = 5000;

/** The messages of a swarm, newest first, for `beyondShare`. Because all are read, it is done only after many new ones. */
const selectSizes = `SELECT seq, sender_id, ${bytesOfMessage()} AS bytes, CASE WHEN EXISTS (SELECT 1 FROM memberships m
    WHERE m.swarm_id = $1 AND m.resource_id = messages.sender_id) THEN 1 ELSE 0 END AS is_member
  FROM messages WHERE swarm_id = $1 ORDER BY seq DESC`;

/** The state of the trims of a swarm. */
interface SwarmTrim {
  /** Its allowance out of what its owner may have. */
  bytes: number;
  /** The number of messages that the swarm had after the last trim. */
  rows: number;
  /** What was sent since the last trim, from 0 to 1: at 1, the next one is due. */
  progress: number;
  /** A trim is queued. */
  isDue: boolean;
}

/** The state of the trims of a user. */
interface UserTrim {
  /** What was sent since the last look at the user's bytes, from 0 to 1: at 1, the next one is due. */
  progress: number;
  isDue: boolean;
  /** Up to here the user has only last messages of members. */
  after: number;
}

interface TrimDeps extends DeletionDeps {
  queue: FairQueue;
  /** The allowance of a user is that of a swarm, as many times as the user may have swarms. */
  quotas: Pick<Quotas, 'swarms'>;
}

export type Trimming = ReturnType<typeof createTrimming>;

export function createTrimming(options: {
  db: Database;
  feed: Pick<ChangeFeed, 'subscribe'>;
  queue: FairQueue;
  quotas: Pick<Quotas, 'swarms'>;
  unread: DeletionDeps['unread'];
  now: () => Date;
  report: (error: unknown) => void;
}) {
  const { db, feed, queue, quotas, unread, now, report } = options;
  const stop = new AbortController();
  const deps: TrimDeps = { db, queue, quotas, unread, stopping: stop.signal };
  /** What was sent since the last trim, by swarm and by user. */
  const swarms = new BoundedMap<string, SwarmTrim>(messagesMemory.trims.most);
  const users = new BoundedMap<string, UserTrim>(messagesMemory.trims.most);
  let isTrimmingAll = false;
  /** One swarm or user at a time. */
  let trimming: Promise<unknown> = Promise.resolve();
  /** Ids of senders and swarms that have ended. The next run deletes their messages. */
  const ended = new Map<MessageScope, string[]>(scopes.map((scope) => [scope, []]));
  // All that end during a run share the next one, and the wait for the job that reads their messages.
  const deleteEnded = shareNextRun(async () => {
    try {
      for (const [scope, ids] of ended) await deleteOf(deps, scope, ids.splice(0));
    } catch (error) {
      report(error);
    }
  });
  let deleting = Promise.resolve();
  function trimOf(user: string): UserTrim {
    const trim = users.get(user) ?? { progress: progressAtFirst, isDue: false, after: 0 };
    users.set(user, trim);
    return trim;
  }
  const trimLater = (trim: () => Promise<void>) => void (trimming = trimming.then(trim).catch(report));

  const unsubscribe = feed.subscribe((entries = []) => {
    for (const scope of scopes) {
      const ids = entries.filter(({ kind }) => kind === scope.destroyedBy).map(scope.idOf);
      // `purge` deletes what is left after a failure or a restart.
      if (ids.length === 0) continue;
      ended.get(scope)!.push(...ids);
      deleting = deleteEnded();
    }
  });

  return {
    /** These rows were sent by this process. */
    add(rows: readonly MessageRow[]): void {
      for (const row of rows) {
        const { swarm_id: swarmId } = row;
        const trim = swarms.get(swarmId) ?? { bytes: sharedBytes, rows: 0, progress: progressAtFirst, isDue: false };
        swarms.set(swarmId, trim);
        if (!isDueAfter(trim, progressOfSwarm(trim, row))) continue;
        // The job has time to read: a message that this trim leaves is deleted two trims later at the earliest.
        unread.due();
        trimLater(() => trimDue(deps, { swarmId, trim }));
      }
      for (const row of rows) {
        const user = row.user_id!;
        const trim = trimOf(user);
        if (isDueAfter(trim, progressOfUser(deps, row))) trimLater(() => trimUser(deps, { user, trim }));
      }
    },

    /** Deletes the oldest messages of the users who have more bytes than this. */
    trimTo(allowance: number): void {
      if (isTrimmingAll) return;
      isTrimmingAll = true;
      trimLater(async () => {
        try {
          for (const user of await usersAbove(db, allowance))
            await trimUser(deps, { user, trim: trimOf(user), allowance });
        } finally {
          isTrimmingAll = false;
        }
      });
    },

    /** Deletes what is older than a day or beyond an allowance, and what interrupted deletions have left. */
    async purge(): Promise<void> {
      const sentBefore = new Date(now().getTime() - messageLimits.keptHours * hourMs).toISOString();
      await deleteReplaced(deps, sentBefore);
      await trimShared(deps);
      await deleteLeft(deps);
    },

    async close(): Promise<void> {
      unsubscribe();
      stop.abort();
      await Promise.all([deleting, trimming]);
    },
  };
}

const storedBytes = (row: MessageRow) => sizeOf(row) + rowBytes;
const allowanceOfUser = ({ quotas }: Pick<TrimDeps, 'quotas'>) => quotas.swarms * sharedBytes;

/** How far this row brings a swarm, or a user, to the next trim, from 0 to 1. */
const progressOfSwarm = ({ rows, bytes }: SwarmTrim, row: MessageRow) =>
  Math.max(1 / Math.max(trimEvery, rows / 4), (4 * storedBytes(row)) / bytes);
const progressOfUser = (deps: TrimDeps, row: MessageRow) =>
  (checksPerAllowance * storedBytes(row)) / allowanceOfUser(deps);

/** Adds to the progress. Returns whether the trim becomes due by it. */
function isDueAfter(trim: { progress: number; isDue: boolean }, more: number): boolean {
  trim.progress += more;
  if (trim.progress < 1 || trim.isDue) return false;
  return (trim.isDue = true);
}

function begin(trim: { progress: number; isDue: boolean }): void {
  trim.isDue = false;
  trim.progress = 0;
}

async function trimDue(deps: TrimDeps, due: { swarmId: string; trim: SwarmTrim }): Promise<void> {
  begin(due.trim);
  if (!deps.stopping.aborted) await trimSwarm(deps, due);
}

/** Deletes what is beyond the allowance of a swarm. */
async function trimSwarm(deps: TrimDeps, { swarmId, trim }: { swarmId: string; trim: SwarmTrim }): Promise<void> {
  const { db } = deps;
  const [owner] = await db.read<{ swarms: number }>(
    sql`SELECT amount AS swarms FROM swarms s JOIN usage u ON u.user_id = s.user_id AND u.kind = 'swarms' WHERE s.id = ${swarmId}`,
  );
  trim.bytes = Math.floor(Math.min(keptBytes, allowanceOfUser(deps) / (owner?.swarms ?? 1)));
  const leastOf = (rows: number) => Math.ceil(trim.bytes / rows);
  const beyond = await db.read<{ seq: number }>({
    sql: selectSizes,
    params: [swarmId],
    shape: beyondShare({
      bytes: trim.bytes,
      leastBytes: leastOf(messageLimits.kept),
      leastBytesOfLast: leastOf(messageLimits.keptOfMembers),
    }),
  });
  await deleteRows(deps, beyond);
  const rows = 'SELECT count(*) AS rows FROM messages WHERE swarm_id = $1';
  const [kept] = await db.read<{ rows: number }>({ sql: rows, params: [swarmId], isLong: true });
  trim.rows = kept!.rows;
}

/** Trims the swarms of users who have many: their allowances were larger when their owner had fewer. */
async function trimShared(deps: TrimDeps): Promise<void> {
  const shared = await deps.db.read<{ id: string }>({
    sql: `SELECT s.id FROM usage u JOIN swarms s ON s.user_id = u.user_id
          WHERE u.kind = 'swarms' AND u.amount > $1 AND EXISTS (SELECT 1 FROM messages WHERE swarm_id = s.id)`,
    params: [Math.floor(allowanceOfUser(deps) / keptBytes)],
    isLong: true,
  });
  for (const { id } of shared)
    await trimSwarm(deps, { swarmId: id, trim: { bytes: 0, rows: 0, progress: 0, isDue: false } });
}

async function usersAbove(db: Database, allowance: number): Promise<string[]> {
  const users = await db.read<{ user_id: string }>({
    sql: `SELECT user_id FROM usage WHERE kind = 'message_bytes' AND amount > $1 ORDER BY amount DESC`,
    params: [allowance],
    isLong: true,
  });
  return users.map(({ user_id }) => user_id);
}

/**
 * Deletes the oldest messages that a user has sent beyond the user's allowance, or beyond a smaller one. The last ones of members are the
 * last ones to go.
 */
async function trimUser(
  deps: TrimDeps,
  { user, trim, allowance = Infinity }: { user: string; trim: UserTrim; allowance?: number },
): Promise<void> {
  begin(trim);
  const used = sql`SELECT amount FROM usage WHERE user_id = ${user} AND kind = 'message_bytes'`;
  const [before] = await deps.db.read<{ amount: number }>(used);
  const excess = (before?.amount ?? 0) - Math.min(allowanceOfUser(deps), allowance);
  if (excess <= 0) return;
  const walk = await deleteOldest(deps, { user, after: trim.after, which: isReplaced, excess });
  // Last messages that were left may have been replaced by now: the next trim begins with them again.
  trim.after = walk.excess > 0 ? 0 : walk.after;
  if (walk.excess > 0) await deleteOldest(deps, { user, after: 0, which: always, excess: walk.excess });
}

/** Deletes the oldest messages of a user, until these were so many bytes. It looks at the messages of all users, in chunks. */
async function deleteOldest(deps: TrimDeps, walk: { user: string; after: number; which: Sql; excess: number }) {
  // The server's own turn: the trims of all users run one after the other, and this user's reads may have to wait.
  const reads = createLongReads(deps)({ user: '' });
  let { after, excess } = walk;
  while (excess > 0 && !deps.stopping.aborted) {
    const [range] = await reads.read<{ seq: number | null }>(
      sql`SELECT max(seq) AS seq FROM (SELECT seq FROM messages WHERE seq > ${after} ORDER BY seq LIMIT ${walkedAtOnce}) part`,
    );
    if (!range || range.seq === null) break;
    const own = await reads.read<{ seq: number; bytes: number }>(
      sql`SELECT seq, ${raw(bytesOfMessage())} AS bytes FROM messages WHERE seq > ${after} AND seq <= ${range.seq}
        AND EXISTS (SELECT 1 FROM resources r WHERE r.id = messages.sender_id AND r.user_id = ${walk.user})
        AND ${walk.which} ORDER BY seq`,
    );
    const enough = own.findIndex(({ bytes }) => (excess -= bytes) <= 0);
    const deleted = enough === -1 ? own : own.slice(0, enough + 1);
    await deleteRows(deps, deleted);
    after = enough === -1 ? range.seq : deleted.at(-1)!.seq;
  }
  return { after, excess };
}

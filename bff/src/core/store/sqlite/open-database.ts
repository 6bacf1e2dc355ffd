/** The SQLite store: one file, one writer with group commit in a thread, readers beside it. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkFile } from './check-file.ts';
import { lockFile } from './file-lock.ts';
import { migrate } from './migrate.ts';
import { openConnection, openReader } from './connection.ts';
import { spaceOf } from './space.ts';
import { type Query, type Write, type WriteResult, StorageError } from '../statement.ts';
import { type Database, createCommitCounts } from '../database.ts';
import { createSubscribers } from '../subscribers.ts';
import { createReaderThread } from '../reader-thread.ts';
import { createThread } from '../thread.ts';
import { createWriteTurns } from '../write-turns.ts';
import type { WriteReply, WriteRequest } from './write.thread.ts';

/**
 * Opens the database, takes it for this process, checks it and brings it up to date.
 * `url`: `file:/absolute/path.db`. `commitDelay`: milliseconds added to each commit, for measuring.
 * `report`: gets the errors of subscribers, and that a thread has ended and is started again.
 * Throws StorageError with a sentence for the operator when the file is in use, damaged or not ours.
 */
export async function openDatabase({
  url,
  commitDelay = 0,
  batchMs = 20,
  report = () => {},
  newestBackup = 'FILE',
}: {
  url: string;
  commitDelay?: number;
  /** Milliseconds after which a commit takes no further write. */
  batchMs?: number;
  report?: (error: unknown) => void;
  /** For the sentence about a damaged file. */
  newestBackup?: string | undefined;
}): Promise<Database> {
  const { path, lock } = await takeFile(fileURLToPath(url), newestBackup);
  const reader = openReader({ path });
  const subscribers = new Set<() => Promise<void>>();
  const announced = createSubscribers(report);
  const writer = createWriter({ path, commitDelay, batchMs, onCommit: notify, onLost: report });
  const queries = createReaderThread({ url: pathToFileURL(path).href, onLost: report });
  let closing: Promise<void> | undefined;

  async function notify() {
    await Promise.all([...subscribers].map(async (subscriber) => subscriber()).map((done) => done.catch(report)));
  }

  async function close() {
    await writer.close();
    await queries.stop();
    await reader.close();
    lock.release();
  }

  return {
    read: <R>(query: Query) =>
      query.isLong || query.shape ? (queries.ask(query) as Promise<R[]>) : reader.read<R>(query),
    write: writer.write as Database['write'],
    onCommit(subscriber) {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    newestEntry: writer.newestEntry,
    catchUp: async () => {},
    announce: announced.tell,
    onAnnounced: announced.subscribe,
    warm: queries.warm,
    // The thread reads one while the rows of another are on their way. More would only wait there, before those of a user who comes.
    longReads: 2,
    // They run one after the other there. Each way to the thread and back costs more than most of them when the processors are busy.
    readsTogether: 3,
    url: pathToFileURL(path).href,
    get alive() {
      return writer.alive && queries.alive;
    },
    readSpace: async () => readSpaceOf(path),
    giveSpaceBack: writer.giveSpaceBack,
    // One process has the file.
    isOutdated: false,
    olderProcesses: async () => [],
    measure: () => ({
      commits: writer.commits,
      threadRestarts: { writer: writer.restarts, reader: queries.restarts },
    }),
    close: () => (closing ??= close()),
  };
}

async function takeFile(givenPath: string, newestBackup: string) {
  try {
    mkdirSync(dirname(givenPath), { recursive: true });
    const path = realPathOf(givenPath);
    const lock = lockFile(path);
    try {
      // To open it for writing takes as long as the check.
      if (!checkFile(path, `run \`swarmdeck restore ${newestBackup}\``)) bringUpToDate(path);
    } catch (error) {
      lock.release();
      throw error;
    }
    return { path, lock };
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError('away', `${givenPath} cannot be used as the database: ${(error as Error).message}`);
  }
}

function readSpaceOf(path: string) {
  const connection = openConnection({ path, readOnly: true });
  try {
    return spaceOf(connection);
  } finally {
    connection.close();
  }
}

function bringUpToDate(path: string) {
  const connection = openConnection({ path, readOnly: false });
  try {
    migrate({ connection });
  } finally {
    connection.close();
  }
}

/** One file has one lock, whatever links lead to it. */
export function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

interface Waiting {
  statements: Write;
  resolve(result: WriteResult): void;
  reject(error: Error): void;
}

/** The limits of a batch, which is copied to the thread. A small write has some ten statements. */
const mostInBatch = { writes: 1000, cost: 5000 };

/**
 * Group commit: a batch is all writes that wait when the last commit has returned, in turns of their users and as many as
 * there is time for. A single write never waits, and many share one fsync. The commits run in a thread, because an fsync of 100 ms would otherwise stop the event loop for as
 * long.
 */
function createWriter({
  path,
  commitDelay,
  batchMs,
  onCommit,
  onLost,
}: {
  path: string;
  commitDelay: number;
  batchMs: number;
  /** Called after each commit, before its writes resolve. Must not throw, because they are on disk. */
  onCommit: () => Promise<void>;
  /** The thread has ended and is started again. */
  onLost: (error: Error) => void;
}) {
  let newestEntry: number | undefined;
  const thread = createThread<WriteRequest, WriteReply>({
    file: new URL('./write.thread.ts', import.meta.url),
    workerData: { path, commitDelay, batchMs },
    onLost(error) {
      // Its last commit may be on disk without a reply.
      newestEntry = undefined;
      void onCommit();
      onLost(error);
    },
  });
  thread.warm();
  const queue = createWriteTurns<Waiting>(mostInBatch);
  let running: Promise<void> | undefined;
  let closed = false;
  const commits = createCommitCounts();

  async function run() {
    // Writes of the same turn of the event loop share the first batch too.
    await Promise.resolve();
    while (queue.length > 0) await commit(queue.take());
    running = undefined;
  }

  async function commit(taken: ReturnType<typeof queue.take>) {
    let batch = taken;
    const from = performance.now();
    try {
      const { outcomes, newestEntry: newest } = await thread.ask(batch.map(({ statements }) => statements));
      newestEntry = newest;
      batch = taken.slice(0, outcomes.length);
      queue.end(taken, taken.slice(outcomes.length));
      const [first] = outcomes;
      if (first && 'fault' in first && outcomes.every((outcome) => 'fault' in outcome)) commits.addFailed(first.fault);
      else commits.add({ writes: batch.length, from });
      await onCommit();
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index]!;
        if ('fault' in outcome) reject(new StorageError(outcome.fault, outcome.message));
        else resolve(outcome);
      }
    } catch (error) {
      if (batch === taken) queue.end(taken);
      commits.addFailed(error instanceof StorageError ? error.kind : 'unexpected');
      for (const { reject } of batch) reject(error as Error);
    }
  }

  return {
    /** One atomic write; resolves when it is on disk. */
    write: (statements: Write) =>
      new Promise<WriteResult>((resolve, reject) => {
        if (closed) throw new StorageError('away', 'the database is closed');
        queue.add({ statements, resolve, reject });
        running ??= run();
      }),
    /** In a commit of its own, between two others. */
    async giveSpaceBack(): Promise<boolean> {
      if (closed) throw new StorageError('away', 'the database is closed');
      const {
        outcomes: [outcome],
      } = await thread.ask('give space back');
      if (outcome && 'fault' in outcome) throw new StorageError(outcome.fault, outcome.message);
      return outcome?.ok === true && outcome.rows.length > 0;
    },
    get alive() {
      return thread.alive && !closed;
    },
    newestEntry: () => newestEntry,
    commits: commits.counts,
    get restarts() {
      return thread.restarts;
    },
    async close() {
      closed = true;
      await running;
      // A thread that has ended has nothing to close.
      await thread.ask('close').catch(() => {});
      await thread.stop();
    },
  };
}

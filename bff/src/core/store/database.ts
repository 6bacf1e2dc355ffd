/**
 * The interface of the store. Statements cross it and never callbacks, so that a commit can be many writes and wait for the
 * disk in another thread. It knows nothing of HTTP, of users or of what they may do.
 */
import type { Query, Statement, WriteResult, StorageFault } from './statement.ts';
import { createHistogram, observe, type Histogram } from '../histogram.ts';

export interface Database {
  /** Reads rows of the declared shape. Sees only what is on disk. Throws StorageError. */
  read<R>(query: Query): Promise<R[]>;
  /** One atomic write, committed together with other waiting writes; resolves when it is on disk. */
  write<Failure extends string = never>(statements: readonly Statement<Failure>[]): Promise<WriteResult<Failure>>;
  /**
   * Calls `subscriber` after each commit and waits for it before `write` resolves: the reads of this process then see what
   * was written. Also called within a second after the commits of other processes. What it throws is reported and fails nothing. Returns a function that ends the subscription.
   */
  onCommit(subscriber: () => Promise<void>): () => void;
  /**
   * The newest entry of the feed that is on disk, if nobody else writes and the outcome of every commit is known. Else undefined:
   * only a read can tell.
   */
  newestEntry(): number | undefined;
  /** Waits until the subscribers have received what any process had written before the call. Throws StorageError. */
  catchUp(): Promise<void>;
  /**
   * Sends a line of at most 1,000 bytes to all processes that use the database, this one too. All get the lines in the same order.
   * No line is stored: what is sent while a process has lost its connection, it never gets.
   */
  announce(line: string): void;
  /** Returns a function that ends the subscription. */
  onAnnounced(subscriber: (line: string) => void): () => void;
  /** Starts threads in advance; otherwise their first requests do. */
  warm(): void;
  /** How many reads with `isLong` it can execute at once without delaying others. */
  readonly longReads: number;
  /** How many of one user may take one of these places together. */
  readonly readsTogether: number;
  /** For a thread that opens its own reader (open.ts). */
  readonly url: string;
  readonly alive: boolean;
  /** A newer version has changed the tables: nothing is read or written any more. */
  readonly isOutdated: boolean;
  /** The addresses of processes of older versions that use it. */
  olderProcesses(): Promise<string[]>;
  /** Returns the space of the file; undefined on PostgreSQL, which manages it by itself. */
  readSpace(): Promise<Space | undefined>;
  /** Gives a slice of the unused space back to the file system. Returns whether more is left. */
  giveSpaceBack(): Promise<boolean>;
  /** `threadRestarts`: by the name of the thread. */
  measure(): { commits: CommitCounts; threadRestarts: Record<string, number> };
  close(): Promise<void>;
}

/** In bytes. `isGivenBack`: unused space goes back to the file system. */
export interface Space {
  bytes: number;
  unused: number;
  isGivenBack: boolean;
}

/** Reads of a thread with connections of its own. They see every write that was acknowledged before the call. */
export interface AsyncReader {
  /** Rows as objects. Throws StorageError. */
  read: Database['read'];
  /** Rows as arrays, in the order of the columns: half the work and memory of `read`. Throws StorageError. */
  tuples<R>(query: Query): Promise<R[]>;
  /** Adds to the feed what was committed before the call. SQLite's writer has done that in the commit. */
  publishChanges(): Promise<void>;
  close(): Promise<void>;
}

interface CommitCounts {
  /** The writes of each commit. */
  writes: Histogram;
  /** How long its writes waited for it, without the commit before. */
  seconds: Histogram;
  /** Commits of which nothing was stored. */
  failed: Record<StorageFault, number>;
}

export function createCommitCounts() {
  const counts: CommitCounts = {
    writes: createHistogram([1, 2, 5, 10, 20, 50, 100, 200, 500]),
    seconds: createHistogram(),
    failed: { constraint: 0, full: 0, away: 0, unexpected: 0 },
  };
  return {
    counts,
    /** `from`: its start, by `performance.now()`. */
    add({ writes, from }: { writes: number; from: number }): void {
      observe(counts.writes, writes);
      observe(counts.seconds, (performance.now() - from) / 1000);
    },
    addFailed: (kind: StorageFault) => void (counts.failed[kind] += 1),
  };
}

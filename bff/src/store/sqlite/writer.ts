import { createCommitCounts } from '../commit-counts.ts';
import type { Write, WriteResult } from '../statement.ts';
import { StorageError } from '../storage-error.ts';
import { startThread } from '../thread.ts';
import type { Outcome } from './batch-writer.ts';
import type { WriteRequest } from './write.thread.ts';

interface Waiting {
  statements: Write;
  resolve(result: WriteResult): void;
  reject(error: Error): void;
}

/**
 * Group commit: a batch is all writes that wait when the last commit has returned. A single write never waits, and many
 * share one fsync. The commits run in a thread, because an fsync of 100 ms would otherwise stop the event loop for as
 * long.
 */
export function createWriter({
  path,
  commitDelay,
  onCommit,
  onLost,
}: {
  path: string;
  commitDelay: number;
  /** Called after each commit, before its writes resolve. Must not throw, because they are on disk. */
  onCommit: () => Promise<void>;
  /** The thread has ended and is started again. */
  onLost: (error: Error) => void;
}) {
  const thread = startThread<WriteRequest, Outcome[]>({
    file: new URL('./write.thread.ts', import.meta.url),
    workerData: { path, commitDelay },
    onLost(error) {
      // Its last commit may be on disk without a reply.
      void onCommit();
      onLost(error);
    },
  });
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let closed = false;
  const commits = createCommitCounts();

  async function run() {
    // Writes of the same turn of the event loop share the first batch too.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await commit(batch);
    }
    running = undefined;
  }

  async function commit(batch: readonly Waiting[]) {
    const from = performance.now();
    try {
      const outcomes = await thread.ask(batch.map(({ statements }) => statements));
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
      commits.addFailed(error instanceof StorageError ? error.kind : 'unexpected');
      for (const { reject } of batch) reject(error as Error);
    }
  }

  return {
    /** One atomic write; resolves when it is on disk. */
    write: (statements: Write) =>
      new Promise<WriteResult>((resolve, reject) => {
        if (closed) throw new StorageError('away', 'the database is closed');
        waiting.push({ statements, resolve, reject });
        running ??= run();
      }),
    get alive() {
      return thread.alive && !closed;
    },
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

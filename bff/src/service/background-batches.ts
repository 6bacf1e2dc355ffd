import { StorageError } from '../store/statement.ts';

/** Long work that is done in batches, so that the writes of other users run in between. */
export interface Batches {
  /** Calls `batch` until it returns true. Throws what `batch` throws, and StorageError once the server stops. */
  run(batch: () => Promise<boolean>): Promise<void>;
  /** Stops after the running batches. Resolves when they have ended. */
  stop(): Promise<void>;
}

export function createBatches(): Batches {
  const running = new Set<Promise<boolean>>();
  let isStopped = false;

  return {
    async run(batch) {
      let isDone = false;
      while (!isDone) {
        if (isStopped)
          throw new StorageError('away', 'the server is stopping: a deletion goes on after the next start');
        const current = batch();
        running.add(current);
        isDone = await current.finally(() => running.delete(current));
      }
    },
    async stop() {
      isStopped = true;
      await Promise.allSettled(running);
    },
  };
}

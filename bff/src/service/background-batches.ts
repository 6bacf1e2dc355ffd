import { StorageError } from '../store/statement.ts';

export type Batches = ReturnType<typeof createBatches>;

/** Long work that is done in batches, so that the writes of other users run in between. */
export function createBatches() {
  const running = new Set<Promise<boolean>>();
  let isStopped = false;

  return {
    /** Calls `batch` until it returns true. Throws what `batch` throws, and StorageError once the server stops. */
    async run(batch: () => Promise<boolean>): Promise<void> {
      let isDone = false;
      while (!isDone) {
        if (isStopped)
          throw new StorageError('away', 'the server is stopping: a deletion goes on after the next start');
        const current = batch();
        running.add(current);
        isDone = await current.finally(() => running.delete(current));
      }
    },
    /** Stops after the running batches. Resolves when they have ended. */
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.allSettled(running);
    },
  };
}

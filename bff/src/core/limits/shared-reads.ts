import { Problem } from '../problem.ts';

interface PendingRead<T> {
  promise: Promise<T | undefined>;
  resolve: (value: T | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads values by their keys. All keys that wait while a read runs are the next read, at most `atOnce` of them, and those who
 * ask take turns: who asks for many keys delays nobody else's by more than one read.
 */
export function createSharedReads<T>({
  read,
  atOnce,
  mostWaiting,
}: {
  /** Finds the values of these keys. */
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  /** How many keys one read has. */
  atOnce: number;
  /** How many keys of one asker wait. */
  mostWaiting: number;
}) {
  /** The keys that wait, by asker and key; the askers are in the order of their turns. */
  const queues = new Map<string, Map<string, PendingRead<T>>>();
  let isReading = false;

  /** Takes one key of each asker in turn, until there are enough for a read. */
  function takeOneOfEach(): Map<string, PendingRead<T>[]> {
    const taken = new Map<string, PendingRead<T>[]>();
    for (const [asker, queue] of queues) {
      if (taken.size === atOnce) break;
      const [key, pending] = queue.entries().next().value!;
      queue.delete(key);
      taken.set(key, [...(taken.get(key) ?? []), pending]);
      queues.delete(asker);
      // To the end: `for … of` comes back to it.
      if (queue.size > 0) queues.set(asker, queue);
    }
    return taken;
  }

  async function work() {
    isReading = true;
    while (queues.size > 0) {
      const taken = takeOneOfEach();
      try {
        const found = await read([...taken.keys()]);
        for (const [key, callers] of taken) for (const { resolve } of callers) resolve(found.get(key));
      } catch (error) {
        for (const callers of taken.values()) for (const { reject } of callers) reject(error);
      }
    }
    isReading = false;
  }

  return {
    /**
     * The value of this key, if there is one.
     * @throws what `read` throws; `storage.away` beyond `mostWaiting`: so many wait only for a database that does not answer
     */
    async read({ asker, key }: { asker: string; key: string }): Promise<T | undefined> {
      const queue = queues.get(asker) ?? new Map<string, PendingRead<T>>();
      const known = queue.get(key);
      if (known) return known.promise;
      if (queue.size >= mostWaiting) throw new Problem('storage.away');
      const pending = Promise.withResolvers<T | undefined>();
      queue.set(key, pending);
      queues.set(asker, queue);
      if (!isReading) void work();
      return pending.promise;
    },
  };
}

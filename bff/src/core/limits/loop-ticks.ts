/** Ticks of the event loop, which queues of the same thread share. */
import { performance } from 'node:perf_hooks';
import { setImmediate as nextLoopTick } from 'node:timers/promises';

export type LoopTicks = ReturnType<typeof createLoopTicks>;

/**
 * Jobs may take `mostMs` of a tick of the event loop together. Then they wait, one in each of the next ticks, so that network events
 * and the replies of threads are processed in between.
 */
export function createLoopTicks({
  mostMs,
  clock = () => performance.now(),
}: {
  mostMs: number;
  /** A monotonic clock, in ms. */
  clock?: () => number;
}) {
  /** When the first job of this tick began. */
  let began: number | undefined;
  let lastTick = Promise.resolve();
  const endTick = () => (began = undefined);

  const ticks = {
    /** To be called at the start of each job. */
    begin(): void {
      if (began !== undefined) return;
      began = clock();
      setImmediate(endTick);
    },
    isOver: (): boolean => began !== undefined && clock() - began >= mostMs,
    /** Resolves in a tick for the caller, after those who wait already. */
    async next(): Promise<void> {
      lastTick = lastTick.then(() => nextLoopTick());
      await lastTick;
      endTick();
    },
    /** Resolves when a job begins: at once, or in a later tick if this one is over. */
    async begun(): Promise<void> {
      if (ticks.isOver()) await ticks.next();
      ticks.begin();
    },
  };
  return ticks;
}

/** The ticks of this thread, for jobs that use its time. Each thread has its own. */
export const threadTicks = createLoopTicks({ mostMs: 2 });

/** Calls `start` for each item, one in a tick of the event loop, without waiting for the results of those before. Resolves as `Promise.all`. */
export async function startInTicks<Item, Result>(
  items: readonly Item[],
  start: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Promise<Result>[] = [];
  for (const item of items) {
    if (results.length > 0) await nextLoopTick();
    const result = start(item);
    // It may fail before all are started.
    result.catch(() => {});
    results.push(result);
  }
  return Promise.all(results);
}

/** Turns of the event loop, which queues of the same thread share. */
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

export type LoopTurns = ReturnType<typeof createLoopTurns>;

/**
 * Jobs may take `mostMs` of a turn of the event loop together. Then they wait, one in each of the next turns, so that network events
 * and the replies of threads are processed in between.
 */
export function createLoopTurns({
  mostMs,
  clock = () => performance.now(),
}: {
  mostMs: number;
  /** A monotonic clock, in ms. */
  clock?: () => number;
}) {
  /** When the first job of this turn began. */
  let began: number | undefined;
  let lastTurn = Promise.resolve();
  const end = () => (began = undefined);

  return {
    /** To be called at the start of each job. */
    begin(): void {
      if (began !== undefined) return;
      began = clock();
      setImmediate(end);
    },
    isOver: (): boolean => began !== undefined && clock() - began >= mostMs,
    /** A turn for the caller, after those who wait already. */
    async next(): Promise<void> {
      lastTurn = lastTurn.then(() => nextTurn());
      await lastTurn;
      end();
    },
  };
}

/** The turns of the main thread, for jobs that use its time. */
export const mainThreadTurns = createLoopTurns({ mostMs: 2 });

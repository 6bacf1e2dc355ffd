import { threadTicks } from '../../core/limits/loop-ticks.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import { createAdaptiveSliceSize } from '../../core/store/adaptive-slice-size.ts';

/** One read has at most so many refs. */
export const mostAtOnce = 1000;

/**
 * Refs of devices whose rows have changed since they were read. `apply` reads the current rows of refs and applies them.
 * It is never called while it runs. Other work of the thread runs between two calls.
 */
export function createStaleRefs(apply: (refs: readonly number[]) => Promise<void>) {
  let stale = new Set<number>();
  let reading = new Set<number>();
  const size = createAdaptiveSliceSize({ most: mostAtOnce });

  const refresh = shareNextRun(async () => {
    reading = stale;
    stale = new Set();
    try {
      const refs = [...reading];
      for (let from = 0; from < refs.length;) {
        const part = refs.slice(from, from + size.rows);
        // Many audiences may be read at the same time.
        await threadTicks.begun();
        await size.timed(() => apply(part), part.length);
        from += part.length;
      }
    } catch (error) {
      for (const ref of reading) stale.add(ref);
      throw error;
    } finally {
      reading = new Set();
    }
  });

  return {
    add(refs: Iterable<number>) {
      for (const ref of refs) stale.add(ref);
    },
    /** Also true while the row of the ref is read, which may be older than the change. */
    has: (ref: number) => stale.has(ref) || reading.has(ref),
    beingRead: (): Iterable<number> => reading,
    /** Passes every ref that was added before this call to `apply`. Refs of a failed call stay stale. */
    refresh,
  };
}

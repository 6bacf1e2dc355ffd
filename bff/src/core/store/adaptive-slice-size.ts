import { performance } from 'node:perf_hooks';

const [fewest, largest] = [16, 4000];

export type AdaptiveSliceSize = ReturnType<typeof createAdaptiveSliceSize>;

/**
 * The number of rows that one statement looks at, so that it takes about `targetMs`: a search takes 2 µs for a short text, and
 * 0.2 ms or more for a long text and a word that nearly matches at each letter.
 */
export function createAdaptiveSliceSize({
  clock = () => performance.now(),
  targetMs = 8,
  least = fewest,
  first = 64,
  most = largest,
}: { clock?: () => number; targetMs?: number; least?: number; first?: number; most?: number } = {}) {
  let rows = first;
  return {
    get rows(): number {
      return rows;
    },
    /** Executes the statement of a slice, and adapts the size to its time. */
    async timed<T>(run: () => Promise<T>): Promise<T> {
      const from = clock();
      const result = await run();
      const growth = Math.min(4, targetMs / Math.max(1, clock() - from));
      rows = Math.round(Math.min(most, Math.max(least, rows * growth)));
      return result;
    },
  };
}

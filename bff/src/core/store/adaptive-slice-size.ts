import { performance } from 'node:perf_hooks';

const [fewest, largest] = [16, 1000];

export type AdaptiveSliceSize = ReturnType<typeof createAdaptiveSliceSize>;

/**
 * The number of rows that one statement looks at, so that it takes about `targetMs`: a search takes 2 µs for a short text, and
 * 0.2 ms or more for a long text and a word that nearly matches at each letter.
 */
export function createAdaptiveSliceSize({
  clock = () => performance.now(),
  targetMs = 4,
  least = fewest,
  first = 64,
  most = largest,
}: { clock?: () => number; targetMs?: number; least?: number; first?: number; most?: number } = {}) {
  let rows = first;
  return {
    get rows(): number {
      return rows;
    },
    /** Executes the statement of a slice of `count` rows, and adapts the size to its time. Few rows do not say that more would be as fast. */
    async timed<T>(run: () => Promise<T>, count = rows): Promise<T> {
      const from = clock();
      const result = await run();
      const growth = Math.min(4, targetMs / Math.max(1, clock() - from));
      if (count >= rows || growth < 1) rows = Math.round(Math.min(most, Math.max(least, count * growth)));
      return result;
    },
  };
}

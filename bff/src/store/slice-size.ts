import { performance } from 'node:perf_hooks';

const targetMs = 20;
const [fewest, most] = [16, 4000];
/** For statements with a condition that costs the same for any number of rows. */
export const fixedSlices = { least: most, first: most };

/**
 * The number of rows that one statement looks at, so that it takes about 20 ms: a search takes 2 µs for a short text, and
 * 0.2 ms or more for a long text and a word that nearly matches at each letter.
 */
export function createSliceSize({
  clock = () => performance.now(),
  least = fewest,
  first = 64,
}: { clock?: () => number; least?: number; first?: number } = {}) {
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

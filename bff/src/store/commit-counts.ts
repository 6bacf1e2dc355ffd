import { createHistogram, observe, type Histogram } from '../metrics/histogram.ts';
import type { StorageFault } from './storage-error.ts';

export interface CommitCounts {
  /** The writes of each commit. */
  writes: Histogram;
  /** How long its writes waited for it, without the commit before. */
  seconds: Histogram;
  /** Commits of which nothing was stored. */
  failed: Record<StorageFault, number>;
}

export function createCommitCounts() {
  const counts: CommitCounts = {
    writes: createHistogram([1, 2, 5, 10, 20, 50, 100, 200, 500]),
    seconds: createHistogram(),
    failed: { constraint: 0, full: 0, away: 0, unexpected: 0 },
  };
  return {
    counts,
    /** `from`: its start, by `performance.now()`. */
    add({ writes, from }: { writes: number; from: number }): void {
      observe(counts.writes, writes);
      observe(counts.seconds, (performance.now() - from) / 1000);
    },
    addFailed: (kind: StorageFault) => void (counts.failed[kind] += 1),
  };
}

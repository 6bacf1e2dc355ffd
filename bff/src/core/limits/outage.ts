import type { Report } from '../problem.ts';

export type Outage = ReturnType<typeof createOutage>;

/** Reports one error for each time that the database is away, however many fail meanwhile. */
export function createOutage(report: Report) {
  let isOngoing = false;
  return {
    get isOngoing() {
      return isOngoing;
    },
    /** Reports the error if it is the first of an outage. Returns whether it is. */
    failed(error: unknown): boolean {
      if (isOngoing) return false;
      isOngoing = true;
      report(error);
      return true;
    },
    succeeded(): void {
      isOngoing = false;
    },
  };
}

/** Work that is repeated: it does not throw, and reports one error for each outage. */
export function reportedOnce(work: () => Promise<void>, report: Report): () => Promise<void> {
  const outage = createOutage(report);
  return async () => {
    try {
      await work();
      outage.succeeded();
    } catch (error) {
      outage.failed(error);
    }
  };
}

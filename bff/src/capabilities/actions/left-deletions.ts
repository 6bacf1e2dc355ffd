/** Milliseconds until a deletion is tried again after an unexpected error. */
const retryMs = { first: 500, longest: 30_000 };

/**
 * Deletes in the background what is left of accounts and swarms, in batches between those of actions. A server begins
 * with it, because an earlier process may have been stopped.
 */
export function createLeftDeletions({
  deleteBatch,
  report,
}: {
  /** Deletes a batch. Returns false if nothing was left. */
  deleteBatch: () => Promise<boolean>;
  /** Throws the errors that concern more than the deletion. */
  report: (error: unknown) => void;
}) {
  /** The number of requests to delete, and that number when nothing was left the last time. */
  let requested = 1;
  let done = 0;
  /** After an unexpected error: when the next batch is due, in ms of the process. */
  let notBefore = 0;
  let backoffMs = retryMs.first;

  return {
    request: () => void (requested += 1),
    /** In how many ms the next batch is due; undefined if nothing is left. */
    dueIn: (): number | undefined => (done < requested ? notBefore - performance.now() : undefined),
    async deleteBatch(): Promise<void> {
      const current = requested;
      try {
        if (!(await deleteBatch())) done = current;
        backoffMs = retryMs.first;
      } catch (error) {
        report(error);
        notBefore = performance.now() + backoffMs;
        backoffMs = Math.min(retryMs.longest, backoffMs * 2);
      }
    },
  };
}

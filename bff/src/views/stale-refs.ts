/** Refs of devices whose rows have changed since they were read. */
export interface StaleRefs {
  add(refs: Iterable<number>): void;
  /** True also while its row is read: that row may be older than the change. */
  has(ref: number): boolean;
  readonly size: number;
  /** Passes every ref that was added before this call to `apply`. Refs of a failed call stay stale. */
  refresh(): Promise<void>;
}

/** Limits the rows of one read. */
const mostAtOnce = 4000;

/** `apply` reads the current rows of these refs and applies them. It is never called while it runs. */
export function createStaleRefs(apply: (refs: readonly number[]) => Promise<void>): StaleRefs {
  let stale = new Set<number>();
  let reading = new Set<number>();

  const refresh = shareNextRun(async () => {
    reading = stale;
    stale = new Set();
    try {
      const refs = [...reading];
      for (let from = 0; from < refs.length; from += mostAtOnce) await apply(refs.slice(from, from + mostAtOnce));
    } catch (error) {
      for (const ref of reading) stale.add(ref);
      throw error;
    } finally {
      reading = new Set();
    }
  });

  return {
    add(refs) {
      for (const ref of refs) stale.add(ref);
    },
    has: (ref) => stale.has(ref) || reading.has(ref),
    get size() {
      return stale.size + reading.size;
    },
    refresh,
  };
}

/**
 * Runs `work` once at a time. Calls while it runs share the next run, so that every call gets the result of a run that
 * began after it.
 */
export function shareNextRun(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  async function runAfter(before: Promise<void>) {
    await before.catch(() => {});
    next = undefined;
    await work();
  }
  return () => {
    if (!next) {
      next = runAfter(last);
      last = next;
    }
    return next;
  };
}

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

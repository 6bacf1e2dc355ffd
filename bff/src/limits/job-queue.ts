/**
 * Runs up to `atOnce` jobs. Up to `waitingAtMost` others are queued in order; further ones throw the error that `full`
 * makes. A queued job leaves the queue when its signal is aborted.
 */
export function createJobQueue({
  atOnce,
  waitingAtMost,
  full,
}: {
  atOnce: number;
  waitingAtMost: number;
  full: () => Error;
}) {
  const waiting = new Set<() => void>();
  let running = 0;

  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.add(resolve);
      signal?.addEventListener('abort', () => waiting.delete(resolve) && reject(signal.reason as Error), {
        once: true,
      });
    });
  }

  return async <T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.size >= waitingAtMost) throw full();
      await turn(signal);
    } else {
      running += 1;
    }
    try {
      return await job();
    } finally {
      // The next job takes over this slot.
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else {
        running -= 1;
      }
    }
  };
}

interface Throttle {
  schedule(): void;
  /** Call it when `mayRun` has become true. */
  resume(): void;
  stop(): void;
}

/**
 * Runs immediately when called, then at most once in `everyMs`, and once after the last call. Never runs twice at
 * the same time. While `mayRun` returns false, the call stays pending.
 */
export function throttle({
  everyMs,
  run,
  mayRun = () => true,
}: {
  everyMs: number;
  run(): unknown;
  mayRun?: () => boolean;
}): Throttle {
  let isScheduled = false;
  let isResting = false;
  let isStopped = false;

  async function pass() {
    isScheduled = false;
    isResting = true;
    await Promise.allSettled([run(), new Promise((done) => setTimeout(done, everyMs))]);
    isResting = false;
    next();
  }
  function next() {
    if (isScheduled && !isResting && !isStopped && mayRun()) void pass();
  }
  return {
    schedule() {
      isScheduled = true;
      next();
    },
    resume: next,
    stop() {
      isStopped = true;
    },
  };
}

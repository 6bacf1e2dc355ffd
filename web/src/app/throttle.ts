interface Throttle {
  ask(): void;
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
  let isAsked = false;
  let isResting = false;
  let isStopped = false;

  async function pass() {
    isAsked = false;
    isResting = true;
    await Promise.allSettled([run(), new Promise((done) => setTimeout(done, everyMs))]);
    isResting = false;
    next();
  }
  function next() {
    if (isAsked && !isResting && !isStopped && mayRun()) void pass();
  }
  return {
    ask() {
      isAsked = true;
      next();
    },
    resume: next,
    stop() {
      isStopped = true;
    },
  };
}

export interface Paced {
  ask(): void;
  /** It may run again. */
  resume(): void;
  stop(): void;
}

/**
 * Runs at once when asked, then at most every so often; never twice at a time, and once more after the last question.
 * What it may not do just now it does once it is resumed.
 */
export function paced({
  everyMs,
  run,
  may = () => true,
}: {
  everyMs: number;
  run(): Promise<unknown>;
  may?: () => boolean;
}): Paced {
  let asked = false;
  let resting = false;
  let stopped = false;

  async function pass() {
    asked = false;
    resting = true;
    await Promise.allSettled([run(), new Promise((done) => setTimeout(done, everyMs))]);
    resting = false;
    next();
  }
  function next() {
    if (asked && !resting && !stopped && may()) void pass();
  }
  return {
    ask() {
      asked = true;
      next();
    },
    resume: next,
    stop() {
      stopped = true;
    },
  };
}

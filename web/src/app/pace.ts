interface Paced {
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

interface Gathered<T> extends Omit<Paced, 'ask'> {
  add(item: T): void;
}

/** What comes one by one, taken together: the first at once, then whatever has gathered every so often. */
export function gathered<T>({
  everyMs,
  take,
  may,
}: {
  everyMs: number;
  take(items: T[]): void;
  may?: () => boolean;
}): Gathered<T> {
  const waiting: T[] = [];
  const { ask, resume, stop } = paced({ everyMs, run: async () => take(waiting.splice(0)), ...(may && { may }) });
  return {
    add(item) {
      waiting.push(item);
      ask();
    },
    resume,
    stop,
  };
}

import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { Problem } from './problem.ts';

/** Who asks for work, and a signal that is aborted when nobody waits for its result any more. */
export interface Asker {
  user: string;
  signal?: AbortSignal;
}

/** A queue for one resource (a thread) that users share. It runs one piece of work at a time. */
export interface Turns {
  /**
   * Runs `work` when it is the user's turn. The user who has used the least time goes first; each user's own work runs
   * in the order of the calls. Long work should be many short pieces (`runInSlices`).
   * @throws `request.aborted` if the signal is aborted before the work starts.
   * @throws `rate.exceeded` if `mostWaiting` pieces of this user are waiting.
   */
  run<T>(asker: Asker, work: () => T | Promise<T>): Promise<T>;
}

interface Job {
  signal: AbortSignal | undefined;
  run(): Promise<void>;
  reject(error: unknown): void;
}

interface UserQueue {
  jobs: Set<Job>;
  /** Milliseconds, including the time that others had used when the user came. */
  used: number;
}

const sliceMs = 8;

export function createTurns({
  mostWaiting,
  clock = () => performance.now(),
}: {
  /** Of each user. */
  mostWaiting: number;
  /** Milliseconds of a clock that never steps. */
  clock?: () => number;
}): Turns {
  const queues = new Map<string, UserQueue>();
  /** The least time used by a user who waits: nobody saves up turns while away. */
  let floor = 0;
  let isRunning = false;

  function queueOf(user: string): UserQueue {
    const queue = queues.get(user) ?? { jobs: new Set(), used: floor };
    queues.set(user, queue);
    queue.used = Math.max(queue.used, floor);
    return queue;
  }

  /** Takes the next job out of its queue. */
  function next(): { job: Job; queue: UserQueue } | undefined {
    let first: UserQueue | undefined;
    for (const [user, queue] of queues) {
      if (queue.jobs.size > 0) first = !first || queue.used < first.used ? queue : first;
      else if (queue.used <= floor) queues.delete(user);
    }
    if (!first) return undefined;
    floor = first.used;
    const [job] = first.jobs;
    first.jobs.delete(job!);
    return { job: job!, queue: first };
  }

  async function runAll() {
    isRunning = true;
    for (let found = next(); found; found = next()) {
      const { job, queue } = found;
      if (job.signal?.aborted) {
        job.reject(new Problem('request.aborted'));
        continue;
      }
      const from = clock();
      await job.run();
      queue.used += clock() - from;
      // messages and the network get their turn, too
      await setImmediate();
    }
    isRunning = false;
  }

  return {
    run: (asker, work) =>
      new Promise((resolve, reject) => {
        const queue = queueOf(asker.user);
        if (queue.jobs.size >= mostWaiting) throw new Problem('rate.exceeded', { headers: { 'retry-after': '1' } });
        queue.jobs.add({
          signal: asker.signal,
          reject,
          run: async () => {
            try {
              resolve(await work());
            } catch (error) {
              reject(error);
            }
          },
        });
        if (!isRunning) void runAll();
      }),
  };
}

/** Runs a generator to its end in turns of some milliseconds. */
export async function runInSlices<T>(turns: Turns, asker: Asker, work: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = await turns.run(asker, () => {
      const until = performance.now() + sliceMs;
      for (;;) {
        const step = work.next();
        if (step.done || performance.now() >= until) return step;
      }
    });
    if (step.done) return step.value;
  }
}

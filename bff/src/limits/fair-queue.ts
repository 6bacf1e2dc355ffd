import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { Problem } from '../http/problem.ts';

/** The user of a job, and a signal that is aborted when no client waits for its result. */
export interface Requester {
  user: string;
  signal?: AbortSignal;
}

/** A queue for a resource that users share, such as a thread. It runs one job at a time. */
export interface FairQueue {
  /**
   * Runs `work` when it is the user's turn. The user who has used the least time goes first. Jobs of one user run in
   * the order of the calls, but continuations of started work run before new jobs, which limits the intermediate
   * results in memory. Long work should be divided into many short jobs (`runInSlices`).
   * @throws `request.aborted` if the signal is aborted before the job starts.
   * @throws `rate.exceeded` if `mostWaiting` jobs of this user are queued.
   */
  run<T>(requester: Requester, work: () => T | Promise<T>, options?: { continues: boolean }): Promise<T>;
}

interface Job {
  signal: AbortSignal | undefined;
  run(): Promise<void>;
  reject(error: unknown): void;
}

interface UserQueue {
  jobs: Job[];
  /** In ms, starting with the time that other users had used when the user arrived. */
  used: number;
}

const sliceMs = 8;

export function createFairQueue({
  mostWaiting,
  clock = () => performance.now(),
}: {
  /** Per user. */
  mostWaiting: number;
  /** A monotonic clock, in ms. */
  clock?: () => number;
}): FairQueue {
  const queues = new Map<string, UserQueue>();
  /**
   * The initial value for a new user: the used time of the user who goes first, so that nobody saves up time while
   * idle.
   */
  let floor = 0;
  let isRunning = false;

  /** The user whose next job runs first. */
  function firstWaiting(): UserQueue | undefined {
    let first: UserQueue | undefined;
    for (const queue of queues.values()) {
      if (queue.jobs.length > 0 && (!first || queue.used < first.used)) first = queue;
    }
    return first;
  }

  function queueOf(user: string): UserQueue {
    floor = Math.max(floor, firstWaiting()?.used ?? 0);
    const queue = queues.get(user) ?? { jobs: [], used: floor };
    if (queue.jobs.length === 0) queue.used = Math.max(queue.used, floor);
    queues.set(user, queue);
    return queue;
  }

  /** Removes the next job from its queue. */
  function next(): { job: Job; queue: UserQueue } | undefined {
    const queue = firstWaiting();
    if (!queue) {
      queues.clear();
      return undefined;
    }
    floor = Math.max(floor, queue.used);
    return { job: queue.jobs.shift()!, queue };
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
      // Lets messages and network events be processed.
      await setImmediate();
    }
    isRunning = false;
  }

  return {
    run: (requester, work, { continues } = { continues: false }) =>
      new Promise((resolve, reject) => {
        const { jobs } = queueOf(requester.user);
        if (jobs.length >= mostWaiting) throw new Problem('rate.exceeded', { headers: { 'retry-after': '1' } });
        const job: Job = {
          signal: requester.signal,
          reject,
          run: async () => {
            try {
              resolve(await work());
            } catch (error) {
              reject(error);
            }
          },
        };
        if (continues) jobs.unshift(job);
        else jobs.push(job);
        if (!isRunning) void runAll();
      }),
  };
}

/** Runs a generator to its end in slices of some milliseconds. A step may wait for a read. */
export async function runInSlices<T>(
  queue: FairQueue,
  requester: Requester,
  work: Generator<void, T> | AsyncGenerator<void, T>,
): Promise<T> {
  for (let continues = false; ; continues = true) {
    const slice = async () => {
      const until = performance.now() + sliceMs;
      for (;;) {
        const step = await work.next();
        if (step.done || performance.now() >= until) return step;
      }
    };
    const step = await queue.run(requester, slice, { continues });
    if (step.done) return step.value;
  }
}

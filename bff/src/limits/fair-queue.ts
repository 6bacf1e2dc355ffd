import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { Problem } from '../http/problem.ts';

/** Who asks for work, and a signal that is aborted when nobody waits for its result any more. */
export interface Asker {
  user: string;
  signal?: AbortSignal;
}

/** A queue for one resource (a thread) that users share. It runs one piece of work at a time. */
export interface FairQueue {
  /**
   * Runs `work` when it is the user's turn. The user who has used the least time goes first. Each user's own work runs
   * in the order of the calls, but what continues earlier work runs before what has not begun: a user then has few
   * intermediate results in memory. Long work should be many short pieces (`runInSlices`).
   * @throws `request.aborted` if the signal is aborted before the work starts.
   * @throws `rate.exceeded` if `mostWaiting` pieces of this user are waiting.
   */
  run<T>(asker: Asker, work: () => T | Promise<T>, options?: { continues: boolean }): Promise<T>;
}

interface Job {
  signal: AbortSignal | undefined;
  run(): Promise<void>;
  reject(error: unknown): void;
}

interface UserQueue {
  jobs: Job[];
  /** Milliseconds, including the time that others had used when the user came. */
  used: number;
}

const sliceMs = 8;

export function createFairQueue({
  mostWaiting,
  clock = () => performance.now(),
}: {
  /** Of each user. */
  mostWaiting: number;
  /** Milliseconds of a clock that never steps. */
  clock?: () => number;
}): FairQueue {
  const queues = new Map<string, UserQueue>();
  /** What a user who comes has used: as much as the one who goes first. Nobody saves up turns while away. */
  let floor = 0;
  let isRunning = false;

  /** The queue that goes first. */
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

  /** Takes the next job out of its queue. */
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
      // messages and the network get their turn, too
      await setImmediate();
    }
    isRunning = false;
  }

  return {
    run: (asker, work, { continues } = { continues: false }) =>
      new Promise((resolve, reject) => {
        const { jobs } = queueOf(asker.user);
        if (jobs.length >= mostWaiting) throw new Problem('rate.exceeded', { headers: { 'retry-after': '1' } });
        const job: Job = {
          signal: asker.signal,
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

/** Runs a generator to its end in turns of some milliseconds. */
export async function runInSlices<T>(queue: FairQueue, asker: Asker, work: Generator<void, T>): Promise<T> {
  for (let continues = false; ; continues = true) {
    const slice = () => {
      const until = performance.now() + sliceMs;
      for (;;) {
        const step = work.next();
        if (step.done || performance.now() >= until) return step;
      }
    };
    const step = await queue.run(asker, slice, { continues });
    if (step.done) return step.value;
  }
}

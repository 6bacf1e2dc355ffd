import { performance } from 'node:perf_hooks';
import { Problem } from '../problem.ts';
import type { Budget } from './budget.ts';
import { createHistogram, observe, type Histogram } from '../histogram.ts';
import { createLoopTicks, threadTicks, type LoopTicks } from './loop-ticks.ts';

/** The user of a job, and a signal that is aborted when no client waits for its result. */
export interface Requester {
  user: string;
  signal?: AbortSignal;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

export interface QueueMeasurements {
  /** The number of jobs. */
  waiting: number;
  /** How long jobs have waited for their turns, in seconds. */
  waits: Histogram;
}

interface UserQueue {
  user: string;
  jobs: (() => Promise<void>)[];
  /** In ms, of jobs that have ended, starting with the time that other users had used when the user arrived. */
  used: number;
  /** The number of running jobs, and the sum of the times of their starts. */
  running: number;
  started: number;
  /** The number of jobs that have started since the user had none. */
  begun: number;
}

const sliceMs = 4;

/**
 * A queue for a resource that users share, such as a thread. If several jobs run at the same time, the last place is for a user
 * who has none: long jobs of one user do not keep all others waiting.
 */
export function createFairQueue({
  mostWaiting,
  atOnce = 1,
  mostOfUser = atOnce,
  mostTogether = 1,
  refusal = () => new Problem('rate.exceeded', { headers: { 'retry-after': '1' } }),
  clock = () => performance.now(),
  ticks,
  budget,
}: {
  /** Per user. */
  mostWaiting: number;
  /** The number of jobs that run at the same time. */
  atOnce?: number;
  /** The number of these of one user. */
  mostOfUser?: number;
  /**
   * Up to so many jobs of a user start together in one of these places. A user who asks for more than twice as many without being
   * idle in between gets one job in each turn. Twice, because the first request of a page often starts before the others arrive.
   */
  mostTogether?: number;
  /** What a new job is refused with when too many wait. */
  refusal?: () => Problem;
  /** A monotonic clock, in ms. */
  clock?: () => number;
  /** For jobs that use the time of this thread. By default, those that follow each other have ticks of the event loop of their own. */
  ticks?: LoopTicks;
  /** What each user may be charged by `charge`. Who has used it up waits. The user '' is the server itself, which may use all. */
  budget?: Pick<Budget, 'correct' | 'msUntilLeft'>;
}) {
  const queues = new Map<string, UserQueue>();
  /**
   * The initial value for a new user: the used time of the user who goes first, so that nobody saves up time while
   * idle.
   */
  let floor = 0;
  let running = 0;
  /** The number of `work` that has not ended. */
  let working = 0;
  /** The number of jobs that wait. */
  let waiting = 0;
  /** Runs while jobs wait whose users have used up their budgets. */
  let later: NodeJS.Timeout | undefined;
  const waits = createHistogram();

  /** Includes the time of the running jobs until now. */
  const usedUntil = (at: number, { used, running: jobs, started }: UserQueue) => used + jobs * at - started;

  /** How long a user has to wait until some of the budget is left, in ms. */
  const msUntilLeft = (user: string) => (user === '' ? 0 : (budget?.msUntilLeft(user) ?? 0));

  /** The user whose next job runs first. */
  function firstWaiting(): UserQueue | undefined {
    const at = clock();
    const isLastPlace = running === atOnce - 1;
    let first: UserQueue | undefined;
    for (const queue of queues.values()) {
      if (queue.jobs.length === 0 || queue.running >= (isLastPlace ? 1 : mostOfUser)) continue;
      if (msUntilLeft(queue.user) > 0) continue;
      if (!first || usedUntil(at, queue) < usedUntil(at, first)) first = queue;
    }
    return first;
  }

  function queueOf(user: string): UserQueue {
    floor = Math.max(floor, firstWaiting()?.used ?? 0);
    const queue = queues.get(user) ?? { user, jobs: [], used: floor, running: 0, started: 0, begun: 0 };
    if (queue.jobs.length === 0) queue.used = Math.max(queue.used, floor);
    // The user is idle: counting starts again.
    if (queue.jobs.length === 0 && queue.running === 0) queue.begun = 0;
    queues.set(user, queue);
    return queue;
  }

  async function runNext(queue: UserQueue, loopTicks: LoopTicks) {
    floor = Math.max(floor, queue.used);
    const from = clock();
    running += 1;
    queue.running += 1;
    queue.started += from;
    loopTicks.begin();
    const isFew = queue.begun + queue.jobs.length <= 2 * mostTogether;
    const jobs = queue.jobs.splice(0, isFew ? mostTogether : 1);
    queue.begun += jobs.length;
    waiting -= jobs.length;
    await Promise.all(jobs.map((job) => job()));
    running -= 1;
    queue.running -= 1;
    queue.started -= from;
    queue.used += clock() - from;
  }

  /** Runs jobs until none is waiting that may run. */
  async function work() {
    working += 1;
    const loopTicks = ticks ?? createLoopTicks({ mostMs: 0, clock });
    for (;;) {
      if (loopTicks.isOver()) await loopTicks.next();
      const queue = firstWaiting();
      if (!queue) break;
      await runNext(queue, loopTicks);
    }
    working -= 1;
    if (budget) workLater();
    if (working === 0 && waiting === 0) queues.clear();
  }

  /** Begins again when the first of those who wait for their budgets has some left. */
  function workLater() {
    clearTimeout(later);
    later = undefined;
    let ms = Infinity;
    for (const [user, { jobs, running: ofUser, used }] of queues) {
      // If the user has no running job, the budget was refilled after `firstWaiting` looked: start again at once.
      if (jobs.length > 0) ms = Math.min(ms, msUntilLeft(user) || (ofUser === 0 ? 0 : Infinity));
      // It would begin with the floor.
      else if (ofUser === 0 && used <= floor) queues.delete(user);
    }
    if (ms < Infinity) later = setTimeout(workAgain, ms);
  }

  function workAgain() {
    later = undefined;
    if (working < atOnce) void work();
  }

  return {
    /**
     * Calls `act` when it is the user's turn. The user who has used the least time goes first. Jobs of one user run in
     * the order of the calls, but continuations of started work run before new jobs, which limits the intermediate
     * results in memory. Long work should be divided into many short jobs (`runInSlices`).
     * @throws `request.aborted` if the signal is aborted before the job starts
     * @throws what `refusal` makes, by default `rate.exceeded`, if `mostWaiting` jobs of this user are queued and this is a new one
     */
    run: <T>({ user, signal }: Requester, act: () => T | Promise<T>, { continues } = { continues: false }) =>
      new Promise<T>((resolve, reject) => {
        if (signal?.aborted) throw new Problem('request.aborted');
        const { jobs } = queueOf(user);
        if (!continues && jobs.length >= mostWaiting) throw refusal();
        const leave = () => {
          jobs.splice(jobs.indexOf(job), 1);
          waiting -= 1;
          reject(new Problem('request.aborted'));
        };
        const from = clock();
        const job = async () => {
          observe(waits, (clock() - from) / 1000);
          signal?.removeEventListener('abort', leave);
          try {
            resolve(await act());
          } catch (error) {
            reject(error);
          }
        };
        signal?.addEventListener('abort', leave);
        if (continues) jobs.unshift(job);
        else jobs.push(job);
        waiting += 1;
        // Those that run no job will take one.
        if (working < Math.min(atOnce, running + waiting)) void work();
      }),
    /** Charges a user for what a job has cost. */
    charge: (user: string, cost: number): void => budget?.correct(user, cost),
    measure: (): QueueMeasurements => ({
      waiting,
      waits,
    }),
  };
}

/**
 * For work that takes time of the main thread. Nobody is refused: who waits has a place or a stream, of which each user has few.
 * Several at once, because a turn waits for its reads, on PostgreSQL each on a connection.
 */
export const createMainThreadQueue = ({ atOnce = 4, mostOfUser = 2 } = {}) =>
  createFairQueue({ mostWaiting: Number.POSITIVE_INFINITY, atOnce, mostOfUser, ticks: threadTicks });

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

/** Which answers are on their way just now, in which job, and which were refused. */
import type { InvitationItem } from '@swarmdeck/bff/contract';
import type { LongJob } from '../../api/long-job.ts';
import type { Answer, Box } from './invitations.api.ts';

/** As much of an invitation as it takes to answer it. */
export type Answerable = Pick<InvitationItem, 'id' | 'resource_id' | 'swarm_id'>;

export interface Job {
  key: string;
  answer: Answer;
  state: 'waiting' | 'sending' | 'paused';
  total: number;
  /** Of these, how many have come to an end, and how many of them were refused. */
  done: number;
  refused: number;
}

export interface Refusal {
  answer: Answer;
  error: unknown;
}

export interface Running {
  job: Job;
  /** Those that have not come to an end. */
  items: Map<string, Answerable>;
  sending: LongJob | null;
}

export type AnsweringJobs = ReturnType<typeof createAnsweringJobs>;

export function createAnsweringJobs({ onCount }: { onCount: (count: number) => void }) {
  const running = new Map<string, Running>();
  const byItem = new Map<string, Running>();
  const refusals = new Map<string, Refusal>();
  const listeners = new Set<() => void>();
  let shown: readonly Job[] = [];

  function changed() {
    shown = [...running.values()].map(({ job }) => job);
    onCount(count('received'));
    for (const listener of listeners) listener();
  }

  /** How many of a box are answered here and not yet there. */
  function count(box: Box): number {
    let size = 0;
    for (const { job, items } of running.values())
      if ((job.answer === 'withdraw') === (box === 'sent')) size += items.size;
    return size;
  }

  return {
    begin(job: Omit<Job, 'state' | 'refused'>, items: readonly Answerable[]): Running {
      const run: Running = {
        job: { ...job, state: 'waiting', refused: 0 },
        items: new Map(items.map((item) => [item.id, item])),
        sending: null,
      };
      running.set(job.key, run);
      for (const { id } of items) {
        byItem.set(id, run);
        refusals.delete(id);
      }
      changed();
      return run;
    },
    update(run: Running, change: Partial<Job>) {
      run.job = { ...run.job, ...change };
      changed();
    },
    /** Told with the next change. */
    settle(run: Running, { id }: Answerable) {
      run.items.delete(id);
      byItem.delete(id);
    },
    refuse: (id: string, refusal: Refusal) => refusals.set(id, refusal),
    end(run: Running) {
      for (const id of run.items.keys()) byItem.delete(id);
      running.delete(run.job.key);
      changed();
    },
    get: (key: string) => running.get(key),
    of: (id: string) => byItem.get(id),
    all: () => shown,
    refusalOf: (id: string) => refusals.get(id),
    dismiss(id: string) {
      refusals.delete(id);
      changed();
    },
    count,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

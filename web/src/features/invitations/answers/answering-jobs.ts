/** Which answers are on their way just now, in which job, and which were refused. */
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { createRunningJobs } from '../../../api/jobs/running-jobs.ts';
import type { Box } from '../../../api/query-keys.ts';
import type { Answer } from '../invitations.api.ts';

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

export function createAnsweringJobs({ onCount }: { onCount: (count: number) => void }) {
  const jobs = createRunningJobs<Job, Answerable>({
    onChange() {
      shown = jobs.all().map(({ job }) => job);
      onCount(count('received'));
    },
  });
  const refusals = new Map<string, Refusal>();
  let shown: readonly Job[] = [];

  /** How many of a box are answered here and not yet there. */
  function count(box: Box): number {
    let size = 0;
    for (const { job, items } of jobs.all()) if ((job.answer === 'withdraw') === (box === 'sent')) size += items.size;
    return size;
  }

  return {
    ...jobs,
    begin(job: Omit<Job, 'state' | 'refused'>, items: readonly Answerable[]) {
      for (const { id } of items) refusals.delete(id);
      return jobs.begin({ ...job, state: 'waiting', refused: 0 }, items);
    },
    all: () => shown,
    refuse: (id: string, refusal: Refusal) => refusals.set(id, refusal),
    refusalOf: (id: string) => refusals.get(id),
    dismiss(id: string) {
      refusals.delete(id);
      jobs.changed();
    },
    count,
  };
}

/**
 * Answers on their way. One answer or ten thousand are one job, and a job is one act of Waiting with Undo: it is
 * shown where its rows stand. What the server refuses comes back to its row with the reason. A job of many is kept
 * from when it is sent until it has ended: after a closed tab it goes on.
 */
import type { Invitation, InvitationItem } from '@swarmdeck/bff/contract';
import type { ReactNode } from 'react';
import type { KeptJob, KeptJobs } from '../../../api/jobs/kept-jobs.ts';
import { startKeptJob } from '../../../api/jobs/kept-sending.ts';
import type { Running } from '../../../api/jobs/running-jobs.ts';
import type { Waiting } from '../../../ui/waiting.ts';
import type { Box } from '../../../api/query-keys.ts';
import type { Answer } from '../invitations.api.ts';
import { createAnsweringJobs } from './answering-jobs.ts';
import type { Answerable, Job, Refusal } from './answering-jobs.ts';

/** Beginning of the keys under which answers wait; undo-button.css keeps their notices out of the inbox's way. */
const answerKey = 'answer:';
/** A body of `{"status":"accept"}`. */
const bytesOfOne = 20;

interface Answered {
  item: Answerable;
  invitation: Invitation | null;
}

/** What is kept of a job beside its rows. */
export type KeptAnswer = Pick<Job, 'answer'> & { paused: boolean };
export type KeptAnswers = KeptJobs<KeptAnswer, Answerable, boolean>;

type End = { invitation: Invitation | null } | { error: unknown };

export interface Answers {
  /** Begins to wait. What waits or is on its way already is left out. */
  add(options: { answer: Answer; items: readonly InvitationItem[] }): void;
  /** Takes up what another page has begun to send. */
  goOn(kept: KeptJob<KeptAnswer, Answerable, boolean>): void;
  /** Takes one out of its job, or all of it. */
  undo(id: string): void;
  undoJob(key: string): void;
  pause(key: string): void;
  resume(key: string): void;
  /** What is not sent yet will not be. */
  stop(key: string): void;
  jobOf(id: string): Job | undefined;
  job(key: string): Job | undefined;
  jobs(): readonly Job[];
  refusalOf(id: string): Refusal | undefined;
  dismiss(id: string): void;
  /** How many of a box are answered here and not yet there. */
  count(box: Box): number;
  subscribe(listener: () => void): () => void;
}

export function createAnswers({
  waiting,
  kept,
  newKey,
  send,
  show,
  onAnswered,
  onRefused,
  onEnd,
  onCount,
  pause,
}: {
  waiting: Pick<Waiting, 'add' | 'goOn' | 'undo'>;
  /** Whose, is known by the time that somebody answers. */
  kept: () => Omit<KeptAnswers, 'watch'>;
  newKey: () => string;
  send: (options: { item: Answerable; answer: Answer; keepalive: boolean }) => Promise<Invitation | null>;
  /** `first` is the only one where `total` is 1. */
  show: (options: { key: string; answer: Answer; total: number; first: InvitationItem | undefined }) => {
    label: ReactNode;
    progress?: ReactNode;
  };
  onAnswered: (done: Answered[]) => void;
  onRefused: (refused: { answer: Answer; total: number; error: unknown }) => void;
  onEnd: (job: Job) => void;
  onCount: (count: number) => void;
  pause: (seconds: number) => Promise<void>;
}): Answers {
  const jobs = createAnsweringJobs({ onCount });

  async function sendJob(
    run: Running<Job, Answerable>,
    { rows, keepalive, paused }: { rows: [number, Answerable][]; keepalive: boolean; paused: boolean },
  ) {
    const { key, answer, total } = run.job;
    const items = new Map(rows);
    const sending = startKeptJob<Answerable, End, boolean>({
      key,
      kept: total > 1 ? kept() : null,
      keepEnd: () => true,
      rows,
      // a page that is left has no time for one after the other
      ...(keepalive && { atOnce: rows.length }),
      send: async (item) => ({ invitation: await send({ item, answer, keepalive }) }),
      refused: (_item, error) => ({ error }),
      tell(ends) {
        const answered: Answered[] = [];
        for (const [place, ended] of ends) {
          const item = items.get(place)!;
          jobs.settle(run, item);
          if ('invitation' in ended) answered.push({ item, invitation: ended.invitation });
          else {
            jobs.refuse(item.id, { answer, error: ended.error });
            onRefused({ answer, total, error: ended.error });
          }
        }
        onAnswered(answered);
        const { done, refused } = run.job;
        jobs.update(run, { done: done + ends.length, refused: refused + ends.length - answered.length });
      },
      isMany: total > 1,
      pause,
      paused,
    });
    await jobs.follow(run, { sending, paused });
    onEnd(run.job);
  }

  function setPaused(key: string, paused: boolean) {
    jobs.setPaused({ key, paused, keep: ({ answer }) => kept().change(key, { answer, paused }) });
  }

  function undoJob(key: string) {
    const run = jobs.get(key);
    if (run?.job.state === 'waiting') waiting.undo(key);
  }

  return {
    add({ answer, items: asked }) {
      const items = asked.filter(({ id }) => !jobs.of(id));
      const total = items.length;
      if (total === 0) return;
      const key = `${answerKey}${newKey()}`;
      const run = jobs.begin({ key, answer, total, done: 0 }, items);
      if (total > 1) kept().prepare();
      waiting.add({
        key,
        ...show({ key, answer, total, first: items[0] }),
        bytes: total * bytesOfOne,
        requests: total,
        send({ keepalive }) {
          const rows = [...run.items.values()].map(({ id, resource_id, swarm_id }) => ({ id, resource_id, swarm_id }));
          if (run.job.total > 1) kept().begin({ key, about: { answer, paused: false }, rows });
          return sendJob(run, { rows: [...rows.entries()], keepalive, paused: false });
        },
        onRefused: () => jobs.end(run),
        onUndo: () => jobs.end(run),
      });
    },
    goOn({ key, about: { answer, paused }, rows, ends }) {
      if (jobs.get(key)) return;
      const left = [...rows.entries()].filter(([place, { id }]) => !ends.has(place) && !jobs.of(id));
      const total = rows.length;
      const items = left.map(([, item]) => item);
      const run = jobs.begin({ key, answer, total, done: total - left.length }, items);
      waiting.goOn({
        key,
        ...show({ key, answer, total, first: undefined }),
        send: () => sendJob(run, { rows: left, keepalive: false, paused }),
        onRefused: () => jobs.end(run),
      });
    },
    undo(id) {
      const run = jobs.of(id);
      if (run?.job.state !== 'waiting') return;
      if (run.items.size === 1) return undoJob(run.job.key);
      jobs.settle(run, run.items.get(id)!);
      jobs.update(run, { total: run.items.size });
    },
    undoJob,
    pause: (key) => setPaused(key, true),
    resume: (key) => setPaused(key, false),
    stop: jobs.stop,
    jobOf: (id) => jobs.of(id)?.job,
    job: (key) => jobs.get(key)?.job,
    jobs: jobs.all,
    refusalOf: jobs.refusalOf,
    dismiss: jobs.dismiss,
    count: jobs.count,
    subscribe: jobs.subscribe,
  };
}

/**
 * Answers on their way. One answer or ten thousand are one job, and a job is one act of Waiting with Undo: it is
 * shown where its rows stand. What the server refuses comes back to its row with the reason.
 */
import type { Invitation, InvitationItem } from '@swarmdeck/bff/contract';
import type { ReactNode } from 'react';
import type { Waiting } from '../../ui/waiting.ts';
import { patienceForMany, patienceForOne, sendEach } from '../../api/send-each.ts';
import type { Answer, Box } from './invitations.api.ts';

/** Beginning of the keys under which answers wait; undo-button.css keeps their notices out of the inbox's way. */
export const answerKey = 'answer:';
/** A body of `{"status":"accept"}`. */
const bytesOfOne = 20;
/** How often a long job tells what it has done. */
const tellEvery = 1000;

export interface Job {
  key: string;
  answer: Answer;
  state: 'waiting' | 'sending';
  total: number;
  done: number;
}

export interface Refusal {
  answer: Answer;
  error: unknown;
}

interface Running {
  job: Job;
  items: Map<string, InvitationItem>;
  stopped: boolean;
}

export interface Answers {
  /** Begins to wait. What waits or is on its way already is left out. */
  add(options: { answer: Answer; items: readonly InvitationItem[] }): void;
  /** Takes one out of its job, or all of it. */
  undo(id: string): void;
  undoJob(key: string): void;
  /** What is not sent yet will not be. */
  stop(key: string): void;
  jobOf(id: string): Job | undefined;
  jobs(): readonly Job[];
  refusalOf(id: string): Refusal | undefined;
  dismiss(id: string): void;
  /** How many of a box are answered here and not yet there. */
  count(box: Box): number;
  subscribe(listener: () => void): () => void;
}

export function createAnswers({
  waiting,
  send,
  label,
  onAnswered,
  onRefused,
  onEnd,
  onCount,
  pause,
}: {
  waiting: Pick<Waiting, 'add' | 'undo' | 'hold'>;
  send: (options: { item: InvitationItem; answer: Answer; keepalive: boolean }) => Promise<Invitation | null>;
  label: (options: { answer: Answer; items: readonly InvitationItem[] }) => ReactNode;
  onAnswered: (done: { item: InvitationItem; invitation: Invitation | null }[]) => void;
  onRefused: (refused: { item: InvitationItem; answer: Answer; error: unknown }) => void;
  onEnd: (answer: Answer) => void;
  onCount: (count: number) => void;
  pause: (seconds: number) => Promise<void>;
}): Answers {
  const running = new Map<string, Running>();
  const byItem = new Map<string, Running>();
  const refusals = new Map<string, Refusal>();
  const listeners = new Set<() => void>();
  let shown: readonly Job[] = [];
  let number = 0;

  function changed() {
    shown = [...running.values()].map(({ job }) => job);
    onCount(count('received'));
    for (const listener of listeners) listener();
  }

  function count(box: Box) {
    let size = 0;
    for (const { job, items } of running.values())
      if ((job.answer === 'withdraw') === (box === 'sent')) size += items.size;
    return size;
  }

  function update(run: Running, change: Partial<Job>) {
    run.job = { ...run.job, ...change };
    changed();
  }

  function end(run: Running) {
    for (const id of run.items.keys()) byItem.delete(id);
    running.delete(run.job.key);
    changed();
  }

  async function sendJob(run: Running, keepalive: boolean) {
    const { answer } = run.job;
    let told = Date.now();
    let fresh: { item: InvitationItem; invitation: Invitation | null }[] = [];
    const tell = () => {
      told = Date.now();
      const done = fresh;
      fresh = [];
      for (const { item } of done) settle(run, item);
      onAnswered(done);
      update(run, { done: run.job.done + done.length });
    };
    update(run, { state: 'sending' });
    const items = [...run.items.values()];
    await sendEach({
      items,
      // a page that is left has no time for one after the other
      ...(keepalive && { atOnce: items.length }),
      send: async (item) => {
        fresh.push({ item, invitation: await send({ item, answer, keepalive }) });
        if (Date.now() - told > tellEvery) tell();
      },
      onRefused(item, error) {
        settle(run, item);
        refusals.set(item.id, { answer, error });
        onRefused({ item, answer, error });
        update(run, { done: run.job.done + 1 });
      },
      stopped: () => run.stopped,
      patience: items.length === 1 ? patienceForOne : patienceForMany,
      pause,
    });
    tell();
    end(run);
    onEnd(answer);
  }

  function settle(run: Running, { id }: InvitationItem) {
    run.items.delete(id);
    byItem.delete(id);
  }

  function undoJob(key: string) {
    const run = running.get(key);
    if (run?.job.state !== 'waiting') return;
    waiting.undo(key);
    // whoever undoes by the pointer leaves nothing under it that would tell that it left
    waiting.hold(false);
  }

  return {
    add({ answer, items: asked }) {
      const items = asked.filter(({ id }) => !byItem.has(id));
      if (items.length === 0) return;
      number += 1;
      const key = `${answerKey}${number}`;
      const job: Job = { key, answer, state: 'waiting', total: items.length, done: 0 };
      const run: Running = { job, items: new Map(items.map((item) => [item.id, item])), stopped: false };
      running.set(key, run);
      for (const { id } of items) {
        byItem.set(id, run);
        refusals.delete(id);
      }
      changed();
      waiting.add({
        key,
        label: label({ answer, items }),
        bytes: items.length * bytesOfOne,
        requests: items.length,
        send: ({ keepalive }) => sendJob(run, keepalive),
        onRefused: () => end(run),
        onUndo: () => end(run),
      });
    },
    undo(id) {
      const run = byItem.get(id);
      if (run?.job.state !== 'waiting') return;
      if (run.items.size === 1) return undoJob(run.job.key);
      settle(run, run.items.get(id)!);
      update(run, { total: run.items.size });
    },
    undoJob,
    stop(key) {
      const run = running.get(key);
      if (run) run.stopped = true;
    },
    jobOf: (id) => byItem.get(id)?.job,
    jobs: () => shown,
    refusalOf: (id) => refusals.get(id),
    dismiss(id) {
      refusals.delete(id);
      changed();
    },
    count,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * What is withdrawn or sent again, one or many at a time. Each press is one job, and a job is one act of Waiting with
 * Undo that is shown where its rows stand; it goes on while one looks at other pages.
 */
import type { InvitationItem } from '@swarmdeck/bff/contract';
import type { ReactNode } from 'react';
import { patienceForMany, patienceForOne, sendEach } from '../../api/send-each.ts';
import type { Waiting } from '../../ui/waiting.ts';

export type BoardAct = 'withdraw' | 'send_again';

export interface BoardJob {
  key: string;
  act: BoardAct;
  state: 'waiting' | 'sending';
  items: ReadonlyMap<string, InvitationItem>;
}

export interface BoardEnd {
  act: BoardAct;
  items: readonly InvitationItem[];
  /** How many were refused, and why the last one was. */
  failed: number;
  error: unknown;
}

export interface BoardJobs {
  /** Begins to wait. What waits or is on its way already is left out. */
  add(options: { act: BoardAct; items: readonly InvitationItem[] }): void;
  /** Takes one out of its job. */
  undo(id: string): void;
  jobOf(id: string): BoardJob | undefined;
  job(key: string): BoardJob | undefined;
  subscribe(listener: () => void): () => void;
}

/** A body with its message, and with the headers around it. */
const bytesOf: Record<BoardAct, (item: InvitationItem) => number> = {
  withdraw: () => 0,
  send_again: ({ description = '' }) => 200 + 3 * description.length,
};

export function createBoardJobs({
  waiting,
  send,
  label,
  onEnd,
  newKey,
  pause,
}: {
  waiting: Pick<Waiting, 'add' | 'undo' | 'hold'>;
  /** `key` is the same when the same is sent once more. */
  send: (options: { act: BoardAct; item: InvitationItem; key: string; keepalive: boolean }) => Promise<void>;
  label: (key: string) => ReactNode;
  onEnd: (end: BoardEnd) => void;
  /** Never the same twice, in no tab. */
  newKey: () => string;
  pause: (seconds: number) => Promise<void>;
}): BoardJobs {
  const jobs = new Map<string, BoardJob>();
  const byItem = new Map<string, string>();
  const listeners = new Set<() => void>();

  function changed() {
    for (const listener of listeners) listener();
  }

  function update(job: BoardJob) {
    jobs.set(job.key, job);
    changed();
  }

  function end(key: string) {
    for (const id of jobs.get(key)?.items.keys() ?? []) byItem.delete(id);
    jobs.delete(key);
    changed();
  }

  async function sendJob(key: string, keepalive: boolean) {
    const job = jobs.get(key);
    if (!job) return;
    update({ ...job, state: 'sending' });
    const items = [...job.items.values()];
    let failed = 0;
    let error: unknown;
    await sendEach({
      items,
      // a page that is left has no time for one after the other
      ...(keepalive && { atOnce: items.length }),
      send: (item) => send({ act: job.act, item, key: `${key}:${item.id}`, keepalive }),
      onRefused(_item, reason) {
        failed += 1;
        error = reason;
      },
      stopped: () => false,
      patience: items.length === 1 ? patienceForOne : patienceForMany,
      pause,
    });
    end(key);
    onEnd({ act: job.act, items, failed, error });
  }

  return {
    add({ act, items: asked }) {
      const items = asked.filter(({ id }) => !byItem.has(id));
      if (items.length === 0) return;
      const key = `board:${newKey()}`;
      for (const { id } of items) byItem.set(id, key);
      update({ key, act, state: 'waiting', items: new Map(items.map((item) => [item.id, item])) });
      waiting.add({
        key,
        label: label(key),
        bytes: items.reduce((sum, item) => sum + bytesOf[act](item), 0),
        requests: items.length,
        send: ({ keepalive }) => sendJob(key, keepalive),
        onRefused: () => end(key),
        onUndo: () => end(key),
      });
    },
    undo(id) {
      const job = jobs.get(byItem.get(id) ?? '');
      if (job?.state !== 'waiting') return;
      if (job.items.size === 1) {
        waiting.undo(job.key);
        // whoever undoes by the pointer leaves nothing under it that would tell that it left
        waiting.hold(false);
        return;
      }
      const items = new Map(job.items);
      items.delete(id);
      byItem.delete(id);
      update({ ...job, items });
    },
    jobOf: (id) => jobs.get(byItem.get(id) ?? ''),
    job: (key) => jobs.get(key),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

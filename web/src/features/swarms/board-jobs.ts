/**
 * What is withdrawn or sent again, one or many at a time. Each press is one job, and a job is one act of Waiting with
 * Undo that is shown where its rows stand; it goes on while one looks at other pages. A job of many is kept from when
 * it is sent until it has ended: after a closed tab it goes on.
 */
import type { ReactNode } from 'react';
import { startKeptJob } from '../../api/kept-sending.ts';
import type { LongJob } from '../../api/long-job.ts';
import type { Waiting } from '../../ui/waiting.ts';
import { bytesOf, rowOf } from './board-job.ts';
import type { BoardAct, BoardJob, BoardJobs, BoardRow, KeptBoard } from './board-job.ts';

type End = { ok: true } | { ok: false; error: unknown };

interface Running {
  job: BoardJob;
  sending: LongJob | null;
}

export function createBoardJobs({
  waiting,
  kept,
  send,
  show,
  onEnd,
  newKey,
  pause,
}: {
  waiting: Pick<Waiting, 'add' | 'goOn' | 'undo' | 'hold'>;
  /** Whose, is known by the time that somebody acts. */
  kept: () => Omit<KeptBoard, 'watch'>;
  /** `key` is the same when the same is sent once more. */
  send: (options: { act: BoardAct; item: BoardRow; key: string; keepalive: boolean }) => Promise<void>;
  show: (job: BoardJob) => { label: ReactNode; progress?: ReactNode };
  onEnd: (job: BoardJob) => void;
  /** Never the same twice, in no tab. */
  newKey: () => string;
  pause: (seconds: number) => Promise<void>;
}): BoardJobs {
  const jobs = new Map<string, Running>();
  const byItem = new Map<string, Running>();
  const listeners = new Set<() => void>();

  function changed() {
    for (const listener of listeners) listener();
  }

  function begin(job: Pick<BoardJob, 'key' | 'act'> & Partial<BoardJob>, items: readonly BoardRow[]): Running {
    const held = new Map(items.map((item) => [item.id, item]));
    const total = items.length;
    const run: Running = {
      job: { state: 'waiting', items: held, total, done: 0, failed: 0, error: undefined, ...job },
      sending: null,
    };
    jobs.set(job.key, run);
    for (const { id } of items) byItem.set(id, run);
    changed();
    return run;
  }

  function update(run: Running, change: Partial<BoardJob>) {
    run.job = { ...run.job, ...change };
    changed();
  }

  function end({ job: { key, items } }: Running) {
    for (const id of items.keys()) byItem.delete(id);
    jobs.delete(key);
    changed();
  }

  async function sendJob(run: Running, options: { rows: [number, BoardRow][]; keepalive: boolean; paused: boolean }) {
    const { rows, keepalive, paused } = options;
    const { key, act, total } = run.job;
    run.sending = startKeptJob<BoardRow, End, boolean>({
      key,
      kept: total > 1 ? kept() : null,
      keepEnd: ({ ok }) => ok,
      rows,
      // a page that is left has no time for one after the other
      ...(keepalive && { atOnce: rows.length }),
      async send(item) {
        await send({ act, item, key: `${key}:${item.id}`, keepalive });
        return { ok: true };
      },
      refused: (_item, error) => ({ ok: false, error }),
      tell(ends) {
        const refused = ends.flatMap(([, ended]) => (ended.ok ? [] : [ended.error]));
        const { done, failed, error } = run.job;
        update(run, {
          done: done + ends.length,
          failed: failed + refused.length,
          error: refused.length > 0 ? refused.at(-1) : error,
        });
      },
      isMany: total > 1,
      pause,
      paused,
    });
    update(run, { state: paused ? 'paused' : 'sending' });
    await run.sending.done;
    end(run);
    onEnd(run.job);
  }

  function setPaused({ key, paused }: { key: string; paused: boolean }) {
    const run = jobs.get(key);
    if (!run?.sending || (run.job.state === 'paused') === paused) return;
    if (paused) run.sending.pause();
    else run.sending.resume();
    kept().change(key, { act: run.job.act, paused });
    update(run, { state: paused ? 'paused' : 'sending' });
  }

  return {
    add({ act, items: asked }) {
      const items = asked.filter(({ id }) => !byItem.has(id));
      if (items.length === 0) return;
      const key = `board:${newKey()}`;
      const run = begin({ key, act }, items);
      if (items.length > 1) kept().prepare();
      waiting.add({
        key,
        ...show(run.job),
        bytes: items.reduce((sum, item) => sum + bytesOf[act](item), 0),
        requests: items.length,
        send({ keepalive }) {
          const rows = [...run.job.items.values()].map(rowOf);
          if (rows.length > 1) kept().begin({ key, about: { act, paused: false }, rows });
          return sendJob(run, { rows: [...rows.entries()], keepalive, paused: false });
        },
        onRefused: () => end(run),
        onUndo: () => end(run),
      });
    },
    goOn({ key, about: { act, paused }, rows, ends }) {
      if (jobs.has(key)) return;
      const left = [...rows.entries()].filter(([place, { id }]) => !ends.has(place) && !byItem.has(id));
      const failed = [...ends.values()].filter((ok) => !ok).length;
      const count = { total: rows.length, done: rows.length - left.length, failed };
      const items = left.map(([, item]) => item);
      const run = begin({ key, act, ...count }, items);
      waiting.goOn({
        key,
        ...show(run.job),
        send: () => sendJob(run, { rows: left, keepalive: false, paused }),
        onRefused: () => end(run),
      });
    },
    undo(id) {
      const run = byItem.get(id);
      if (run?.job.state !== 'waiting') return;
      if (run.job.items.size === 1) {
        waiting.undo(run.job.key);
        // whoever undoes by the pointer leaves nothing under it that would tell that it left
        waiting.hold(false);
        return;
      }
      const items = new Map(run.job.items);
      items.delete(id);
      byItem.delete(id);
      update(run, { items, total: items.size });
    },
    pause: (key) => setPaused({ key, paused: true }),
    resume: (key) => setPaused({ key, paused: false }),
    stop: (key) => jobs.get(key)?.sending?.stop(),
    jobOf: (id) => byItem.get(id)?.job,
    job: (key) => jobs.get(key)?.job,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

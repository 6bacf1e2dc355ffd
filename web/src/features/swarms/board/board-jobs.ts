/**
 * What is withdrawn or sent again, one or many at a time. Each press is one job, and a job is one act of Waiting with
 * Undo that is shown where its rows stand; it goes on while one looks at other pages. A job of many is kept from when
 * it is sent until it has ended: after a closed tab it goes on.
 */
import type { ReactNode } from 'react';
import { startKeptJob } from '../../../api/jobs/kept-sending.ts';
import { createRunningJobs } from '../../../api/jobs/running-jobs.ts';
import type { Running } from '../../../api/jobs/running-jobs.ts';
import type { Waiting } from '../../../ui/waiting.ts';
import { bytesOf, rowOf } from './board-job.ts';
import type { BoardAct, BoardJob, BoardJobs, BoardRow, KeptBoard } from './board-job.ts';

type End = { ok: true } | { ok: false; error: unknown };

export function createBoardJobs({
  waiting,
  kept,
  send,
  show,
  onEnd,
  newKey,
  pause,
}: {
  waiting: Pick<Waiting, 'add' | 'goOn' | 'undo'>;
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
  const jobs = createRunningJobs<BoardJob, BoardRow>();

  function begin(job: Pick<BoardJob, 'key' | 'act'> & Partial<BoardJob>, rows: readonly BoardRow[]) {
    const items = new Map(rows.map((row) => [row.id, row]));
    const none = { total: items.size, done: 0, failed: 0, error: undefined };
    return jobs.begin({ state: 'waiting', items, ...none, ...job }, rows);
  }

  async function sendJob(
    run: Running<BoardJob, BoardRow>,
    { rows, keepalive, paused }: { rows: [number, BoardRow][]; keepalive: boolean; paused: boolean },
  ) {
    const { key, act, total } = run.job;
    const sending = startKeptJob<BoardRow, End, boolean>({
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
        jobs.update(run, {
          done: done + ends.length,
          failed: failed + refused.length,
          error: refused.length > 0 ? refused.at(-1) : error,
        });
      },
      isMany: total > 1,
      pause,
      paused,
    });
    await jobs.follow(run, { sending, paused });
    onEnd(run.job);
  }

  function setPaused(key: string, paused: boolean) {
    jobs.setPaused({ key, paused, keep: ({ act }) => kept().change(key, { act, paused }) });
  }

  return {
    add({ act, items: asked }) {
      const items = asked.filter(({ id }) => !jobs.of(id));
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
        onRefused: () => jobs.end(run),
        onUndo: () => jobs.end(run),
      });
    },
    goOn({ key, about: { act, paused }, rows, ends }) {
      if (jobs.get(key)) return;
      const left = [...rows.entries()].filter(([place, { id }]) => !ends.has(place) && !jobs.of(id));
      const failed = [...ends.values()].filter((ok) => !ok).length;
      const count = { total: rows.length, done: rows.length - left.length, failed };
      const items = left.map(([, item]) => item);
      const run = begin({ key, act, ...count }, items);
      waiting.goOn({
        key,
        ...show(run.job),
        send: () => sendJob(run, { rows: left, keepalive: false, paused }),
        onRefused: () => jobs.end(run),
      });
    },
    undo(id) {
      const run = jobs.of(id);
      if (run?.job.state !== 'waiting') return;
      if (run.items.size === 1) return waiting.undo(run.job.key);
      jobs.settle(run, { id });
      jobs.update(run, { items: new Map(run.items), total: run.items.size });
    },
    pause: (key) => setPaused(key, true),
    resume: (key) => setPaused(key, false),
    stop: jobs.stop,
    jobOf: (id) => jobs.of(id)?.job,
    job: (key) => jobs.get(key)?.job,
    subscribe: jobs.subscribe,
  };
}

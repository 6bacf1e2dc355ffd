/**
 * Many requests for one swarm, as jobs that run one after the other. A job goes on while the user looks at other
 * pages. Its rows and results are stored, so it also goes on after its tab was closed, and no row is sent twice.
 * The results of the last job stay until they are dismissed.
 */
import type { ReactNode } from 'react';
import type { Problem } from '@swarmdeck/bff/contract';
import type { KeptJob, KeptJobs } from '../../api/jobs/kept-jobs.ts';
import { startKeptJob } from '../../api/jobs/kept-sending.ts';
import type { LongJob } from '../../api/jobs/long-job.ts';
import { ProblemError } from '../../api/problem.ts';
import type { Waiting } from '../../ui/waiting.ts';

/** The result of one row. */
export type SendResult = { ok: true } | { ok: false; error: unknown } | { ok: false; stopped: true };

/** The same as it is stored: the service's problem, or null if there was no answer. */
type StoredResult = 'sent' | { problem: Problem | null };

export interface SendJob<About, Row> {
  key: string;
  about: About;
  state: 'sending' | 'paused' | 'ended';
  /** `end` is null until there is a result. */
  lines: readonly (Row & { end: SendResult | null })[];
  done: number;
}

type StoredAbout<About> = About & { paused: boolean };
export type StoredJobs<About, Row> = KeptJobs<StoredAbout<About>, Row, StoredResult>;

export type SendQueue<About extends object, Row extends object> = ReturnType<typeof createSendQueue<About, Row>>;

interface Running<About, Row> {
  job: SendJob<About, Row>;
  results: Map<number, SendResult>;
  rows: readonly Row[];
  sending: LongJob | null;
  paused: boolean;
}

export function createSendQueue<About extends object, Row extends object>({
  name,
  waiting,
  kept,
  newKey,
  send,
  show,
  onEnd,
  pause,
}: {
  /** Start of the keys of jobs and of their notices. */
  name: string;
  waiting: Pick<Waiting, 'goOn'>;
  kept: Omit<StoredJobs<About, Row>, 'watch'>;
  newKey: () => string;
  /** Sending with the same key again has no second effect. */
  send: (row: Row, options: { about: About; key: string }) => Promise<unknown>;
  show: (job: SendJob<About, Row>) => { label: ReactNode; progress: ReactNode };
  onEnd: (job: SendJob<About, Row>) => void;
  pause: (seconds: number) => Promise<void>;
}) {
  type Run = Running<About, Row>;
  const listeners = new Set<() => void>();
  /** The first job is running and shown. */
  const queue: Run[] = [];
  let shown: SendJob<About, Row> | null = null;

  const linesOf = ({ rows, results }: Pick<Run, 'rows' | 'results'>) =>
    rows.map((row, place) => ({ ...row, end: results.get(place) ?? null }));

  function notify() {
    for (const listener of listeners) listener();
  }

  function update(run: Run, state: SendJob<About, Row>['state']) {
    run.job = { ...run.job, state, lines: linesOf(run), done: run.results.size };
    if (queue[0] === run) shown = run.job;
    notify();
  }

  async function sendJob(run: Run) {
    const { key, about } = run.job;
    const left = [...run.rows.entries()].filter(([place]) => !run.results.has(place));
    run.sending = startKeptJob<Row, SendResult, StoredResult>({
      key,
      kept,
      keepEnd: toStored,
      rows: left,
      send: async (row, place) => {
        await send(row, { about, key: `${key}-${place}` });
        return { ok: true };
      },
      refused: (_row, error) => ({ ok: false, error }),
      tell(results) {
        for (const [place, result] of results) run.results.set(place, result);
        update(run, run.paused ? 'paused' : 'sending');
      },
      isMany: run.rows.length > 1,
      pause,
      paused: run.paused,
    });
    update(run, run.paused ? 'paused' : 'sending');
    await run.sending.done;
    for (const [place] of left) if (!run.results.has(place)) run.results.set(place, { ok: false, stopped: true });
    update(run, 'ended');
    onEnd(run.job);
    queue.shift();
    startNext();
  }

  function startNext() {
    const [run] = queue;
    if (!run) return;
    shown = run.job;
    waiting.goOn({ key: run.job.key, ...show(run.job), send: () => sendJob(run), onRefused: () => undefined });
  }

  function enqueue({
    key,
    about,
    rows,
    results,
    paused,
  }: Omit<Run, 'job' | 'sending'> & { key: string; about: About }) {
    const lines = linesOf({ rows, results });
    const job = { key, about, state: paused ? ('paused' as const) : ('sending' as const), lines, done: results.size };
    queue.push({ job, rows, results, sending: null, paused });
    if (queue.length === 1) startNext();
  }

  function setPaused(paused: boolean) {
    const [run] = queue;
    if (!run?.sending || run.paused === paused) return;
    run.paused = paused;
    if (paused) run.sending.pause();
    else run.sending.resume();
    kept.change(run.job.key, { ...run.job.about, paused });
    update(run, paused ? 'paused' : 'sending');
  }

  return {
    start({ about, rows }: { about: About; rows: readonly Row[] }) {
      const key = `${name}:${newKey()}`;
      kept.begin({ key, about: { ...about, paused: false }, rows: [...rows] });
      enqueue({ key, about, rows, results: new Map(), paused: false });
    },
    /** Continues a job that another page has started. */
    goOn({ key, about, rows, ends }: KeptJob<StoredAbout<About>, Row, StoredResult>) {
      if (queue.some(({ job }) => job.key === key)) return;
      const results = new Map([...ends].map(([place, end]) => [place, fromStored(end)]));
      enqueue({ key, about, rows, results, paused: about.paused });
    },
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    /** Rows that are not sent yet will not be sent. */
    stop: () => queue[0]?.sending?.stop(),
    /** Dismisses the results of an ended job. */
    next() {
      if (shown?.state !== 'ended') return;
      shown = null;
      notify();
    },
    job: () => shown,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function toStored(result: SendResult): StoredResult {
  if (result.ok) return 'sent';
  const { error } = { error: null, ...result };
  return { problem: error instanceof ProblemError ? error.problem : null };
}

export function fromStored(stored: StoredResult): SendResult {
  if (stored === 'sent') return { ok: true };
  return { ok: false, error: stored.problem && new ProblemError({ problem: stored.problem }) };
}

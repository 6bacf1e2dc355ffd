/**
 * Bulk jobs: many requests, a few at a time, with retry, pause, resume, stop and progress. A job continues while the
 * user looks at other pages. Its rows and results are stored: if its tab is closed, another tab continues it, and no
 * row is executed twice. The kinds of jobs are in `*.job.tsx` of the features: a kind declares how a row is sent and
 * what is shown.
 */
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { Problem } from '@swarmdeck/bff/contract';
import { pendingActionsOf } from '../pending-actions.ts';
import type { PendingActions } from '../pending-actions.ts';
import { isUnreachable, isSignedOut, ProblemError } from '../problem.ts';
import { createListeners } from '../listeners.ts';
import { writesInFlight } from '../send-in-batch.ts';
import { serverNow } from '../server-clock.ts';
import { userOf } from '../query-cache.ts';
import { storeJobs } from './stored-jobs.ts';
import type { StoredJob, StoredJobs } from './stored-jobs.ts';

/** `created`: the id of what the row has created. */
export type RowResult = { ok: true; created?: string } | { ok: false; error: unknown; name?: string };

export interface BulkJob<About, Source> {
  key: string;
  about: About;
  /** The rows, or the file that contains them. Undefined if the browser could not store the file. */
  source: Source | undefined;
  /** `elsewhere`: another tab runs it. */
  state: 'pending' | 'queued' | 'running' | 'paused' | 'elsewhere' | 'ended';
  total: number;
  /** By the index of the row. The map is the same for the whole job. */
  results: ReadonlyMap<number, RowResult>;
  failed: number;
  /** The error of the last failed row. */
  error: unknown;
  /** Why the job was paused; null if the user has paused it. */
  pauseError: unknown;
  /** The user has stopped it: rows without a result are not sent. */
  isStopped: boolean;
  /** Whether requests are running. */
  isBusy: boolean;
  /** The server cannot be reached. The job retries. */
  isUnreachable: boolean;
  /** False if the browser cannot store it: closing the tab ends it. */
  isStored: boolean;
  /** Interrupted so long ago that the service may have forgotten the idempotency keys. */
  isStale: boolean;
  /** When this run began, and how many rows had ended then. */
  since: { at: number; ended: number };
}

type Stored<About> = About & { paused: boolean };
/** A result as it is stored: the service's problem, or null if there was no answer. */
type StoredResult = 'sent' | { created: string } | { problem: Problem | null; name?: string };
type Store<About, Source> = StoredJobs<Stored<About>, Source, StoredResult>;

interface Run<About, Row, Source> {
  job: BulkJob<About, Source>;
  results: Map<number, RowResult>;
  /** Rows without a result, by their id. */
  open: Map<string, Row>;
  /** Closed while the job is paused. */
  gate: PromiseWithResolvers<void> | null;
  stopped: PromiseWithResolvers<void>;
  /** The number of running requests. */
  requests: number;
  report(): void;
  startsPaused: boolean;
}

export interface BulkJobKind<About extends object, Row, Source, Answer> {
  /** Beginning of the keys of its jobs, and with the user the name under which they are stored. */
  name: string;
  send(row: Row, request: { about: About; index: number; key: string; keepalive: boolean }): Promise<Answer>;
  /** Reads the rows; by default, the source is an array of them. */
  rowsOf?(source: Source, about: About): AsyncGenerator<readonly [index: number, row: Row]>;
  totalOf?(source: Source | undefined, about: About): number;
  /** With ids, a row is in one job at a time (`jobOf`), until it has a result. */
  idOf?(row: Row): string;
  /** Rows stay in their job until all of them have a result. */
  keepsRows?: boolean;
  /** Jobs wait ten seconds before they are sent, in which they can be undone. A single row is not stored then. */
  isUndoable?: boolean;
  /** One job after the other. The result of the last one stays until it is dismissed. */
  isSequential?: boolean;
  /** Shows a job that another tab runs. */
  showsElsewhere?: boolean;
  /** Size of a request, for those that outlive the document. */
  bytesOf?(row: Row): number;
  /** Whether the next row would fail, too: the job is paused, and the row is sent again when it is resumed. */
  pausesOn?(error: unknown): boolean;
  /** Whether a job that was interrupted more than a day ago must be resumed by the user. */
  pausesIfStale?: boolean;
  nameOf?(row: Row): string;
  /** The id of what a row has created. It is stored with the result. */
  createdBy?(answer: Answer): string | undefined;
  /** Shown in an undo toast on other pages. Without a label, the job has none. */
  labelOf?(key: string): { label: ReactNode; progress?: ReactNode };
  onResults?(results: { row: Row; result: RowResult; answer: Answer | undefined }[], job: BulkJob<About, Source>): void;
  /** After every change, before React is notified. */
  onChange?(): void;
  onPause?(job: BulkJob<About, Source>): void;
  onEnd(job: BulkJob<About, Source>): void;
}

/** In ms. The service stores an idempotency key for 24 hours. */
const keysLast = 23 * 3_600_000;

/** Seconds until a request is sent again; null if a retry would not help. */
export function retryAfter(error: unknown, isMany: boolean): number | null {
  if (error instanceof ProblemError && error.problem.status === 429) return error.retryAfter ?? 1;
  // A single request fails immediately.
  if (!isMany) return null;
  if (error instanceof ProblemError && error.code === 'idempotency.in_flight') return error.retryAfter ?? 1;
  // Many rows wait for a server that restarts, or until the user has signed in again.
  return isUnreachable(error) || isSignedOut(error) ? 3 : null;
}

/** The dependencies that tests replace. */
export interface BulkJobEnvironment<About, Source> {
  pending?: Pick<PendingActions, 'add' | 'run' | 'undo'>;
  store?: Store<About, Source>;
  newKey?: () => string;
  now?: () => number;
  wait?: (seconds: number) => Promise<void>;
  /** Progress reports are this many ms apart: each one renders the lists that show it. */
  reportEvery?: number;
}

export function createBulkJob<About extends object, Row, Source = readonly Row[], Answer = unknown>({
  client,
  pending = pendingActionsOf({ client }),
  store: given,
  newKey = () => crypto.randomUUID(),
  now = serverNow,
  wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  reportEvery = 1000,
  ...kind
}: BulkJobKind<About, Row, Source, Answer> & BulkJobEnvironment<About, Source> & { client: QueryClient }) {
  type Job = BulkJob<About, Source>;
  type ThisRun = Run<About, Row, Source>;
  const rowsOf =
    kind.rowsOf ??
    async function* entries(source: Source) {
      yield* (source as readonly Row[]).entries();
    };
  const totalOf = kind.totalOf ?? ((source: Source | undefined) => (source as readonly Row[] | undefined)?.length ?? 0);
  const runs: ThisRun[] = [];
  const byId = new Map<string, ThisRun>();
  const listeners = createListeners();
  let shown: readonly Job[] = [];
  let opened: Store<About, Source> | undefined;
  let watchers = 0;
  let watch: (() => void) | undefined;
  /** Opened when it is first needed: by then the user is known. */
  const store = () => (opened ??= given ?? storeJobs({ name: `${kind.name}:${userOf(client)}` }));

  function notify() {
    shown = runs.map(({ job }) => job);
    kind.onChange?.();
    listeners.notify();
  }

  function update(run: ThisRun, change: Partial<Job>) {
    run.job = { ...run.job, ...change };
    notify();
  }

  function add(
    job: Pick<Job, 'key' | 'about' | 'source' | 'state'> & Partial<Job>,
    results = new Map<number, RowResult>(),
  ) {
    const { source, about } = job;
    const failures = [...results.values()].filter(({ ok }) => !ok).length;
    const run: ThisRun = {
      job: {
        ...{
          total: totalOf(source, about),
          results,
          failed: failures,
          error: null,
          pauseError: null,
          since: { at: now(), ended: results.size },
        },
        ...{ isStopped: false, isBusy: false, isUnreachable: false, isStored: true, isStale: false },
        ...job,
      },
      results,
      open: new Map(),
      gate: null,
      stopped: Promise.withResolvers(),
      requests: 0,
      report: () => undefined,
      startsPaused: job.state === 'paused',
    };
    if (kind.idOf && Array.isArray(source)) {
      for (const [index, row] of (source as Row[]).entries()) {
        const id = kind.idOf(row);
        if (results.has(index) || byId.has(id)) continue;
        run.open.set(id, row);
        byId.set(id, run);
      }
    }
    runs.push(run);
    notify();
    return run;
  }

  function remove(run: ThisRun) {
    for (const id of run.open.keys()) byId.delete(id);
    if (runs.includes(run)) runs.splice(runs.indexOf(run), 1);
    notify();
  }

  const find = (key: string) => runs.find(({ job }) => job.key === key);
  const isStoredKind = ({ total }: Job) => !kind.isUndoable || total > 1;
  const notStored = (run: ThisRun) => () => update(run, { isStored: false });
  const storeRun = (run: ThisRun) =>
    store()
      .begin({ key: run.job.key, about: { ...run.job.about, paused: false }, source: run.job.source! })
      .catch(notStored(run));
  const storePaused = (run: ThisRun, paused: boolean) =>
    void store()
      .change(run.job.key, { ...run.job.about, paused })
      .catch(notStored(run));

  /** Sends all rows that have no result. Resolves when they have one, or when the job was stopped. */
  async function sendRows(run: ThisRun, { keepalive }: { keepalive: boolean }): Promise<void> {
    const { key, about, source, total } = run.job;
    const rows = rowsOf(source!, about);
    let fresh: { index: number; row: Row; result: RowResult; answer: Answer | undefined }[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;

    function report() {
      clearTimeout(timer);
      timer = undefined;
      const ended = fresh;
      fresh = [];
      if (ended.length === 0) return;
      for (const { index, row, result } of ended) {
        run.results.set(index, result);
        const id = kind.idOf?.(row);
        if (id !== undefined && !kind.keepsRows && run.open.delete(id)) byId.delete(id);
      }
      if (isStoredKind(run.job)) {
        const stored = ended.map(({ index, result }) => [index, toStored(result)] as const);
        store().add(key, stored, now()).catch(notStored(run));
      }
      kind.onResults?.(ended, run.job);
      const failures = ended.flatMap(({ result }) => (result.ok ? [] : [result.error]));
      update(run, {
        failed: run.job.failed + failures.length,
        ...(failures.length > 0 && { error: failures.at(-1) }),
        isUnreachable: false,
      });
    }
    function end(index: number, row: Row, result: RowResult, answer?: Answer) {
      fresh.push({ index, row, result, answer });
      timer ??= setTimeout(report, reportEvery);
    }

    /** Returns whether the row has a result now. */
    async function trySend(index: number, row: Row): Promise<boolean> {
      run.requests += 1;
      try {
        const answer = await kind.send(row, { about, index, key: `${key}-${index}`, keepalive });
        const id = kind.createdBy?.(answer);
        end(index, row, { ok: true, ...(id !== undefined && { created: id }) }, answer);
        return true;
      } catch (error) {
        const seconds = retryAfter(error, total > 1);
        if (seconds !== null) {
          if (isUnreachable(error) && !run.job.isUnreachable) update(run, { isUnreachable: true });
          await Promise.race([wait(seconds), run.stopped.promise]);
          return false;
        }
        if (kind.pausesOn?.(error)) {
          pause(run, error);
          return false;
        }
        end(index, row, { ok: false, error, ...(kind.nameOf && { name: kind.nameOf(row) }) });
        return true;
      } finally {
        run.requests -= 1;
        settle(run);
      }
    }
    /** All workers read from the same generator. */
    async function work() {
      for await (const [index, row] of rows) {
        for (let hasEnded = run.results.has(index); !hasEnded;) {
          while (run.gate) await run.gate.promise;
          if (run.job.isStopped) return;
          hasEnded = await trySend(index, row);
        }
      }
    }
    run.report = report;
    // A document that is being closed cannot wait for one request after the other.
    await Promise.all(Array.from({ length: keepalive ? Math.max(total, 1) : writesInFlight }, work));
    report();
  }

  async function execute(run: ThisRun, { keepalive = false } = {}): Promise<void> {
    const isPaused = run.job.state === 'paused';
    if (isPaused) run.gate ??= Promise.withResolvers();
    const since = { at: now(), ended: run.results.size };
    if (!isPaused) update(run, { state: 'running', isBusy: true, since });
    try {
      await sendRows(run, { keepalive });
    } catch (error) {
      // the file cannot be read
      update(run, { state: 'paused', isBusy: false, pauseError: error });
      kind.onPause?.(run.job);
      return;
    }
    finish(run);
  }

  /** Ends a job. The next one of a sequential kind begins. */
  function finish(run: ThisRun) {
    if (isStoredKind(run.job)) store().end(run.job.key);
    run.job = { ...run.job, state: 'ended', isBusy: false, isUnreachable: false };
    kind.onEnd(run.job);
    if (!kind.isSequential) return remove(run);
    notify();
    const next = runs.find(({ job }) => job.state === 'queued');
    if (next) begin(next);
  }

  /** Removes the result of an ended job. */
  function dismiss() {
    const ended = runs.find(({ job }) => job.state === 'ended');
    if (ended) remove(ended);
  }

  function openGate(run: ThisRun) {
    run.gate?.resolve();
    run.gate = null;
  }

  /** Adds the job to the list, and shows its undo toast on other pages. */
  function begin(run: ThisRun) {
    dismiss();
    if (run.job.state === 'queued') update(run, { state: run.startsPaused ? 'paused' : 'running' });
    const { key } = run.job;
    if (!kind.labelOf) void execute(run);
    else pending.run({ key, ...kind.labelOf(key), send: () => execute(run), onError: () => remove(run) });
  }

  function enqueue(run: ThisRun) {
    const isActive = (each: ThisRun) => each !== run && ['running', 'paused'].includes(each.job.state);
    if (kind.isSequential && runs.some(isActive)) update(run, { state: 'queued' });
    else begin(run);
  }

  /** Updates a paused job after its last response. */
  function settle(run: ThisRun) {
    if (!run.gate || run.requests > 0 || !run.job.isBusy) return;
    run.report();
    update(run, { isBusy: false });
    kind.onPause?.(run.job);
  }

  function pause(run: ThisRun, error: unknown = null) {
    if (run.job.state !== 'running') return;
    run.gate = Promise.withResolvers();
    update(run, { state: 'paused', pauseError: error });
    settle(run);
    // A job that an error has paused continues automatically after its tab was closed.
    storePaused(run, error === null);
  }

  return {
    /** Starts a job. Leaves out rows that are in another job, and does nothing if no row remains. */
    async start({ about, source }: { about: About; source: Source }): Promise<void> {
      const key = `${kind.name}:${newKey()}`;
      const { idOf, bytesOf } = kind;
      if (!kind.isUndoable) {
        const run = add({ key, about, source, state: 'running' });
        const stored = storeRun(run);
        // the whole file is stored before its first row is sent
        if (kind.rowsOf) await stored;
        return enqueue(run);
      }
      const rows = (source as readonly Row[]).filter((row) => !idOf || !byId.has(idOf(row)));
      if (rows.length === 0) return undefined;
      const run = add({ key, about, source: rows as Source, state: 'pending' });
      if (rows.length > 1) store().prepare();
      return pending.add({
        key,
        ...(kind.labelOf?.(key) ?? { label: null }),
        ...(bytesOf && { bytes: rows.reduce((sum, row) => sum + bytesOf(row), 0) }),
        requests: rows.length,
        send({ keepalive }) {
          if (isStoredKind(run.job)) void storeRun(run);
          return execute(run, { keepalive });
        },
        onError: () => remove(run),
        onUndo: () => remove(run),
      });
    },
    /** Takes one row out of a pending job, or undoes the job if it is the last one. */
    undo(id: string) {
      const run = byId.get(id);
      if (run?.job.state !== 'pending') return;
      if (run.open.size === 1) return pending.undo(run.job.key);
      byId.delete(id);
      run.open.delete(id);
      update(run, { source: [...run.open.values()] as Source, total: run.open.size });
    },
    pause(key: string) {
      const run = find(key);
      if (run) pause(run);
    },
    /** Resumes a job. `source` is needed if the browser could not store it. */
    resume(key: string, source?: Source) {
      const run = find(key);
      if (run?.job.state !== 'paused' || !(source ?? run.job.source)) return;
      storePaused(run, false);
      const since = { at: now(), ended: run.results.size };
      update(run, {
        ...(source && { source }),
        state: 'running',
        isBusy: true,
        isStale: false,
        pauseError: null,
        since,
      });
      if (run.gate) openGate(run);
      else begin(run);
    },
    /** Stops a job. The remaining rows are not sent. */
    stop(key: string) {
      const run = find(key);
      if (!run || run.job.isStopped) return;
      update(run, { isStopped: true });
      run.stopped.resolve();
      if (run.gate) openGate(run);
      else if (run.job.state === 'paused') finish(run);
    },
    dismiss,
    /** Continues the jobs of closed tabs. Returns a function that stops it. */
    resumeStored() {
      watchers += 1;
      watch ??= store().watch({
        take(stored: StoredJob<Stored<About>, Source, StoredResult>) {
          const { key, source } = stored;
          const before = find(key);
          if (before && before.job.state !== 'elsewhere') return;
          if (before) remove(before);
          const { paused, ...about } = stored.about as Stored<object>;
          const isStale = kind.pausesIfStale === true && stored.at > 0 && now() - stored.at > keysLast;
          const isPaused = paused || isStale || source === undefined;
          const results = new Map([...stored.results].map(([index, result]) => [index, fromStored(result)]));
          const state = isPaused ? ('paused' as const) : ('running' as const);
          const run = add({ key, about: about as About, source, state, isStale }, results);
          // A job whose source is missing, or that is stale, waits for the user.
          if (source !== undefined && !isStale) enqueue(run);
        },
        elsewhere({ key, about: { paused: _paused, ...about } }) {
          if (kind.showsElsewhere && !find(key)) {
            add({ key, about: about as unknown as About, source: undefined, state: 'elsewhere' });
          }
        },
        ended(key) {
          const run = find(key);
          if (run?.job.state === 'elsewhere') remove(run);
        },
      });
      return () => {
        watchers -= 1;
        if (watchers > 0) return;
        watch?.();
        watch = undefined;
      };
    },
    /** The job with a row that has no result yet. */
    jobOf: (id: string): Job | undefined => byId.get(id)?.job,
    job: (key: string): Job | undefined => find(key)?.job,
    jobs: () => shown,
    /** For a sequential kind: the running job, or else the last one that has ended. */
    current: (): Job | undefined => shown.find(({ state }) => state !== 'queued') ?? shown[0],
    /** Rows without a result of all jobs. */
    countOpen: (matches: (about: About) => boolean) =>
      runs.reduce((sum, { job, open }) => sum + (matches(job.about) ? open.size : 0), 0),
    notify,
    subscribe: listeners.subscribe,
  };
}

export type BulkJobs<About extends object, Row, Source = readonly Row[]> = ReturnType<
  typeof createBulkJob<About, Row, Source>
>;

/** The result of a row for display. Rows of a stopped job were not sent. */
export type ShownResult = RowResult | { ok: false; stopped: true };

/** The rows with their results; null if there is none yet. */
export function linesOf<About, Row extends object>({
  source = [],
  results,
  state,
}: Pick<BulkJob<About, readonly Row[]>, 'source' | 'results' | 'state'>): (Row & { result: ShownResult | null })[] {
  const none = state === 'ended' ? ({ ok: false, stopped: true } as const) : null;
  return source.map((row, index) => ({ ...row, result: results.get(index) ?? none }));
}

/** Continues the jobs of closed tabs while the component is mounted. */
export function useResumeStored({ resumeStored }: { resumeStored(): () => void }): void {
  useEffect(() => resumeStored(), [resumeStored]);
}

/** Reads a value from the jobs, and renders again when it changes. */
export function useJobState<Result>(jobs: { subscribe(listener: () => void): () => void }, read: () => Result): Result {
  return useSyncExternalStore(jobs.subscribe, read);
}

function toStored(result: RowResult): StoredResult {
  if (result.ok) return result.created === undefined ? 'sent' : { created: result.created };
  const { error, name } = result;
  return { problem: error instanceof ProblemError ? error.problem : null, ...(name !== undefined && { name }) };
}

function fromStored(stored: StoredResult): RowResult {
  if (stored === 'sent') return { ok: true };
  if ('created' in stored) return { ok: true, created: stored.created };
  const { problem, name } = stored;
  return { ok: false, error: problem && new ProblemError({ problem }), ...(name !== undefined && { name }) };
}

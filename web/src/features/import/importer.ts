/**
 * The one import of a user. It goes on while they look at other pages, and what is kept of it lets it go on after a
 * closed tab or a restarted server: exact in total, nothing doubled.
 */
import { startRun } from './import-run.ts';
import type { ImportRun, SendRow } from './import-run.ts';
import { nothingYet } from './import-plan.ts';
import type { ImportPlan, ImportProgress, KeptImport, NotTaken } from './import-plan.ts';

export interface ImportStore {
  load(): Promise<KeptImport | undefined>;
  begin(kept: KeptImport): Promise<void>;
  save(progress: { progress: ImportProgress; paused: boolean }): Promise<void>;
  /** Nothing is kept of it but that it was. */
  end(past: { hash: string; made: number; at: string } | null): Promise<void>;
}

export interface ImportState {
  plan: ImportPlan;
  phase: 'running' | 'pausing' | 'paused' | 'elsewhere' | 'stopped' | 'done';
  made: number;
  notTaken: readonly NotTaken[];
  /** Why it paused by itself. */
  error: unknown;
  /** Nobody answers, or asks for time; it goes on by itself. */
  waiting: boolean;
  /** False where the browser keeps nothing: closing the tab ends it. */
  kept: boolean;
  file: Blob | undefined;
  /** When this run began, and how many rows had ended then. */
  since: { at: number; ended: number };
}

export interface Importer {
  state(): ImportState | null;
  subscribe(listener: () => void): () => void;
  /** Takes up what was kept, and goes on with it unless somebody had paused it. */
  open(): Promise<void>;
  start(plan: ImportPlan, file: Blob): Promise<void>;
  resume(file?: Blob): Promise<void>;
  pause(): void;
  /** What is in stays, the rest does not come. */
  stop(): Promise<void>;
  /** Puts away what has ended. */
  dismiss(): void;
}

/** Keeps other tabs from the same job. */
export interface TabLock {
  /** Gives it back; null when another tab has it. */
  take(): Promise<(() => void) | null>;
  /** When no tab has it. */
  free(): Promise<void>;
}

const saveEvery = 300;
const tellEvery = 200;

export function createImporter({
  store,
  send,
  lock,
  now,
  sleep,
  onDevices,
}: {
  store: ImportStore;
  send: SendRow;
  lock: TabLock;
  now: () => number;
  sleep: (seconds: number) => Promise<void>;
  /** There are new ones; told now and then while it runs, and at the end. */
  onDevices: () => void;
}): Importer {
  const listeners = new Set<() => void>();
  let state: ImportState | null = null;
  let progress = nothingYet;
  let run: ImportRun | null = null;
  let opening: Promise<void> | null = null;
  let told = 0;

  function tell() {
    told = now();
    for (const listener of listeners) listener();
  }

  function set(change: Partial<ImportState>) {
    if (!state) return;
    state = { ...state, ...change };
    tell();
  }

  function show({ plan, progress: from, file }: Omit<KeptImport, 'paused'>) {
    progress = from;
    const { made, notTaken } = from;
    const since = { at: now(), ended: 0 };
    state = { plan, phase: 'paused', made, notTaken, error: null, waiting: false, kept: true, file, since };
    tell();
  }

  const orGoOn = () => set({ kept: false });

  async function go(file: Blob) {
    const release = await lock.take();
    if (!state) return release?.();
    if (!release) {
      set({ phase: 'elsewhere' });
      void lock.free().then(open);
      return undefined;
    }
    let saved = now();
    let saving = Promise.resolve();
    let isSaving = false;
    const { made, notTaken } = progress;
    set({
      phase: 'running',
      made,
      notTaken,
      error: null,
      file,
      since: { at: now(), ended: made + notTaken.length },
    });
    const mine = startRun({
      plan: state.plan,
      file,
      from: progress,
      send,
      sleep,
      onEnded(refused) {
        if (!state) return;
        if (refused) state = { ...state, notTaken: [...state.notTaken, refused] };
        else state = { ...state, made: state.made + 1 };
        if (now() - saved > saveEvery && !isSaving) {
          saved = now();
          isSaving = true;
          saving = store
            .save({ progress: mine.progress(), paused: false })
            .catch(orGoOn)
            .finally(() => (isSaving = false));
        }
        if (now() - told > tellEvery) set({ waiting: false });
      },
      onWaiting: () => set({ waiting: true }),
    });
    run = mine;
    const { whole, error } = await mine.done;
    run = null;
    progress = mine.progress();
    await saving;
    await settle({ whole, error });
    return release();
  }

  async function end() {
    const past = state && { hash: state.plan.hash, made: state.made, at: new Date(now()).toISOString() };
    await store.end(past?.made ? past : null).catch(orGoOn);
  }

  async function settle({ whole, error }: { whole: boolean; error: unknown }) {
    const stopped = state?.phase === 'stopped';
    if (whole || stopped) await end();
    else await store.save({ progress, paused: error === null }).catch(orGoOn);
    set({ waiting: false, error, ...(!stopped && { phase: whole ? 'done' : 'paused' }) });
    onDevices();
  }

  async function open() {
    if (state && state.phase !== 'elsewhere') return;
    const kept = await store.load().catch(() => undefined);
    if (kept) show(kept);
    else {
      state = null;
      tell();
    }
    if (kept?.file && !kept.paused) void go(kept.file);
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open: () => (opening ??= open().finally(() => (opening = null))),
    async start(plan, file) {
      if (run) return;
      show({ plan, progress: nothingYet, file });
      await store.begin({ plan, progress, file, paused: false }).catch(orGoOn);
      await go(file);
    },
    async resume(again) {
      const file = again ?? state?.file;
      if (file && !run) await go(file);
    },
    pause() {
      if (!run) return;
      set({ phase: 'pausing' });
      run.halt();
    },
    async stop() {
      set({ phase: 'stopped' });
      if (run) run.halt();
      else await end();
    },
    dismiss() {
      if (run) return;
      state = null;
      tell();
    },
  };
}

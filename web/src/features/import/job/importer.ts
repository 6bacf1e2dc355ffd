/**
 * The one import of a user. It goes on while they look at other pages, and what is kept of it lets it go on after a
 * closed tab or a restarted server: exact in total, nothing doubled.
 */
import { nothingYet } from './import-plan.ts';
import type { KeptImport } from './import-plan.ts';
import { startRun } from './import-run.ts';
import type { ImportRun, SendRow } from './import-run.ts';
import { isOver } from './import-state.ts';
import type { ImportState, ImportStore, Importer, TabLock } from './import-state.ts';

const saveEvery = 300;
const tellEvery = 200;
/** The service remembers an idempotency key for 24 hours. */
const keysLast = 23 * 3_600_000;

export function createImporter({
  store,
  send,
  lock,
  now,
  pause,
  onDevices,
}: {
  store: ImportStore;
  send: SendRow;
  lock: TabLock;
  now: () => number;
  pause: (seconds: number) => Promise<void>;
  /** There are new ones; told now and then while it runs, and at the end. */
  onDevices: () => void;
}): Importer {
  const listeners = new Set<() => void>();
  let state: ImportState | null = null;
  let progress = nothingYet;
  let run: ImportRun | null = null;
  let going = false;
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

  function show({ plan, progress: from, file, at }: Omit<KeptImport, 'paused'>) {
    progress = from;
    const { made, notTaken } = from;
    const since = { at: now(), ended: 0 };
    const stale = now() - at > keysLast;
    state = { plan, phase: 'paused', made, notTaken, error: null, waiting: false, stale, kept: true, file, since };
    tell();
  }

  const orGoOn = () => set({ kept: false });

  async function go(file: Blob) {
    // pressed twice
    if (going) return;
    going = true;
    await goOn(file).finally(() => (going = false));
  }

  async function goOn(file: Blob) {
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
      stale: false,
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
      pause,
      onEnded(refused) {
        if (!state) return;
        if (refused) state = { ...state, notTaken: [...state.notTaken, refused] };
        else state = { ...state, made: state.made + 1 };
        if (now() - saved > saveEvery && !isSaving) {
          saved = now();
          isSaving = true;
          saving = store
            .save({ progress: mine.progress(), paused: false, at: now() })
            .catch(orGoOn)
            .finally(() => (isSaving = false));
        }
        if (now() - told > tellEvery) set({ waiting: false });
      },
      onAway: () => set({ waiting: true }),
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
    else await store.save({ progress, paused: error === null, at: now() }).catch(orGoOn);
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
    if (kept?.file && !kept.paused && !state?.stale) void go(kept.file);
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open: () => (opening ??= open().finally(() => (opening = null))),
    async start(plan, file) {
      if (state && !isOver(state)) return;
      const kept = { plan, progress: nothingYet, file, paused: false, at: now() };
      show(kept);
      await store.begin(kept).catch(orGoOn);
      await go(file);
    },
    async resume(again) {
      const file = again ?? state?.file;
      if (file) await go(file);
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

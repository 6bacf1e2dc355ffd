import type { ImportPlan, KeptImport, NotTaken } from './import-plan.ts';

export interface ImportStore {
  load(): Promise<KeptImport | undefined>;
  begin(kept: KeptImport): Promise<void>;
  save(going: Pick<KeptImport, 'progress' | 'paused' | 'at'>): Promise<void>;
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
  /** For somebody to answer; it goes on by itself. */
  waiting: boolean;
  /** So long ago that the service may have forgotten the keys of what was on its way then. */
  stale: boolean;
  /** False where the browser keeps nothing: closing the tab ends it. */
  kept: boolean;
  file: Blob | undefined;
  /** When this run began, and how many rows had ended then. */
  since: { at: number; ended: number };
}

/** Nothing of it will be sent any more. */
export const isOver = ({ phase }: ImportState) => phase === 'done' || phase === 'stopped';

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

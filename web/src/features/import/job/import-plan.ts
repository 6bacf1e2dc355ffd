import type { Fixes } from '../rows/dry-run.ts';
import type { Uses } from '../rows/mapping.ts';

/** What an import is, from its start to its end. */
export interface ImportPlan {
  /** With the line of a row it makes the row's idempotency key. */
  id: string;
  user_id: string;
  /** Of the file. */
  name: string;
  hash: string;
  uses: Uses;
  fixes: Fixes;
  /** Rows that are sent; the lines of those among them that change a device. */
  rows: number;
  changes: readonly number[];
}

/** A row that the service did not take. */
export interface NotTaken {
  line: number;
  name: string;
  code: string;
  detail?: string;
}

/** How far it is: every row that begins before the line `before` has ended. */
export interface ImportProgress {
  before: number;
  made: number;
  notTaken: readonly NotTaken[];
}

/** What outlives the page. */
export interface KeptImport {
  plan: ImportPlan;
  progress: ImportProgress;
  /** By somebody, and not by a closed tab. */
  paused: boolean;
  /** When this was written. */
  at: number;
  /** Where the browser keeps no files it has to be chosen again. */
  file: Blob | undefined;
}

export const nothingYet: ImportProgress = { before: 0, made: 0, notTaken: [] };

/** Under which the browser keeps the plan of a user's import, as long as it has not ended. */
export const planKey = (user_id: string) => `import:${user_id}:plan`;

/** What the rows of the tables of limits have. */
export interface LimitRow {
  /** Each of them has the limit for itself. */
  who: string;
  what: string;
  most: number;
}

export interface RateRow extends LimitRow {
  per: 'second' | 'minute' | 'hour' | 'day';
  /** What may be done at once, after a pause. */
  burst: number;
  isInBytes?: true;
}

/** What one process remembers: what, and how much or how many. */
export interface MemoryRow {
  what: string;
  most: number;
}

/** What may be stored: of each, what, most. */
export type StoredRow = readonly [who: string, what: string, most: number];

/** A table on the page of limits: what a limit is of, and how much. */
export interface LimitsTable {
  title: string;
  rows: readonly (readonly [what: string, most: string])[];
}

/** How the page of limits writes them. */
export interface LimitsPage {
  inDigits: (amount: number) => string;
  inMiB: (bytes: number) => string;
  /** Of the rate with this name: how much in its time, and at once. */
  burstOf: (rate: string) => string;
}

export interface QuotaRow extends LimitRow {
  /** The problem of a request that would exceed it. `{allowed}` in the detail is replaced by the number. */
  problem: readonly [code: string, detail: string];
  /** The table whose rows with the user's `user_id` are counted, if nothing else counts them. */
  table?: string;
}

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

export interface QuotaRow extends LimitRow {
  /** The problem of a request that would exceed it. `{allowed}` in the detail is replaced by the number. */
  problem: readonly [code: string, detail: string];
  /** The table whose rows with the user's `user_id` are counted, if nothing else counts them. */
  table?: string;
}

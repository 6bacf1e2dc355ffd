/**
 * What a capability declares, so that it is a folder that can be deleted: rows of the tables of the server. A row has the form that it has
 * in its table, and a name that no other has. It is data: `contract.ts` of a capability imports limits, and nothing that runs.
 */
import type { PolicyRow } from './endpoint/rules.ts';
import type { JobLimits } from './limits/job-rows.ts';
import type {
  LimitRow,
  LimitsPage,
  LimitsTable,
  MemoryRow,
  QuotaRow,
  RateRow,
  StoredRow,
} from './limits/limit-rows.ts';
import type { OperationLimits } from './limits/operation-rows.ts';

/** `app`: only endpoints of the web app respond with it. */
export type ProblemRow = readonly [status: number, title: string, who?: 'app'];

export interface Declaration {
  /** Who may do an operation of the service (`endpoint/policy.ts`). */
  policy?: Readonly<Record<string, PolicyRow>>;
  /** What one request may send (`limits/operation-limits.ts`). */
  limits?: Readonly<Record<string, OperationLimits>>;
  /** What may be done in a time, and what may wait (`limits/limit-tables.ts`). */
  rates?: Readonly<Record<string, RateRow>>;
  queues?: Readonly<Record<string, LimitRow>>;
  /** What runs behind endpoints (`limits/job-limits.ts`). */
  jobs?: Readonly<Record<string, JobLimits>>;
  /** What may be stored (`limits/limit-tables.ts`). */
  quotas?: Readonly<Record<string, QuotaRow>>;
  /** What one process remembers (`memoryTable` in `limits/part-limits.ts`). */
  memory?: Readonly<Record<string, MemoryRow>>;
  /** What else may be stored, on the page of all limits: of each, what, most. */
  stored?: readonly StoredRow[];
  /** Its other limits, on the page of all limits (`limits/limits-page.ts`). */
  limitsTable?: (page: LimitsPage) => LimitsTable;
  /** `contract/problem.ts`. */
  problems?: Readonly<Record<string, ProblemRow>>;
  /**
   * Paths of the service that also take a key as the password of Basic authentication, because an app has no setting for a header. No
   * pages of other origins may use them.
   */
  passwordPaths?: readonly string[];
  /** Endpoints of the app for a session without the second factor that this server requires: by them, its user sets one up. */
  toSetUp?: readonly string[];
  /** Tables whose rows with this `user_id` end with the account. */
  tablesOfUser?: readonly string[];
}

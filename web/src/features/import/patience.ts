import { ProblemError } from '../../api/problem.ts';
import { patienceForMany } from '../../api/send-each.ts';

/** How long to wait before a row is sent again; null where waiting does not help. */
export function waitFor(error: unknown): number | null {
  // what a closed tab had sent is still being answered
  if (error instanceof ProblemError && error.code === 'idempotency.in_flight') return error.retryAfter ?? 1;
  return patienceForMany(error);
}

/** Whether the next row may fare better: else nothing more is sent until somebody has seen to it. */
export function concernsRow(error: unknown): boolean {
  return error instanceof ProblemError && [400, 404, 413, 422].includes(error.problem.status);
}

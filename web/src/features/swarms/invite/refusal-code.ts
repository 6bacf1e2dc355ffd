import { ProblemError, errorParts } from '../../../api/problem.ts';

/** The code of the one field that was refused, or else of the whole: what a short reason is found by. */
export function refusedAt(error: unknown): string {
  const [field] = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  return field?.code ?? errorParts(error).code;
}

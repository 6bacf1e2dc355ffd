import { ProblemError, errorParts } from '../../../api/problem.ts';

/** The error code of the first rejected field, else of the whole request. It selects the short message. */
export function refusalCode(error: unknown): string {
  const [field] = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  return field?.code ?? errorParts(error).code;
}

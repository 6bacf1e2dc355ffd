import { errorParts, ProblemError } from '../../../api/problem.ts';
import { problemSentence, t } from '../../../text/text.ts';

/** Nothing is left to be answered: withdrawn, destroyed, or answered elsewhere meanwhile. */
export function isFinal(error: unknown): boolean {
  return error instanceof ProblemError && [403, 404, 409].includes(error.problem.status);
}

export function reasonOf(error: unknown): string {
  const parts = errorParts(error);
  return t.invitations.refused_because[parts.code] ?? problemSentence(parts);
}

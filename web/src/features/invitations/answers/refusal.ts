import { errorParts, ProblemError } from '../../../api/problem.ts';
import { problemSentence } from '../../../text/text.ts';
import { words } from '../invitation-words.ts';

/** Nothing is left to be answered: withdrawn, destroyed, or answered elsewhere meanwhile. */
export function isFinal(error: unknown): boolean {
  return error instanceof ProblemError && [403, 404, 409].includes(error.problem.status);
}

export function reasonOf(error: unknown): string {
  const parts = errorParts(error);
  return words.refused_because[parts.code] ?? problemSentence(parts);
}

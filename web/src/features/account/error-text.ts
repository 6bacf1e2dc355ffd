import { errorParts } from '../../api/problem.ts';
import { problemSentence } from '../../text/text.ts';

/** A sentence about whatever went wrong here. */
export function errorText(error: unknown): string {
  const parts = errorParts(error);
  return problemSentence(parts);
}

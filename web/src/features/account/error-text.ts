import { errorParts } from '../../api/problem.ts';
import { problemSentence } from '../../text/text.ts';

/** The message for an error on the account page. */
export function errorText(error: unknown): string {
  const parts = errorParts(error);
  return problemSentence(parts);
}

import { errorParts } from '../../api/problem.ts';
import { problemSentence } from '../../text/text.ts';
import { words } from './account-words.ts';

/** A sentence about whatever went wrong here. */
export function errorText(error: unknown): string {
  const parts = errorParts(error);
  return words.sign_in.problems[parts.code] ?? problemSentence(parts);
}

import { Problem } from '../problem.ts';
import type { ProblemCode } from '../problem.ts';

/** What Better Auth calls its refusals, and what we call them. */
const problemOf: Record<string, ProblemCode> = {
  INVALID_USERNAME_OR_PASSWORD: 'sign_in.wrong_password',
  USERNAME_IS_ALREADY_TAKEN: 'sign_up.name_taken',
  // its name for any failure of the insert: the caller looks whether the name was taken meanwhile
  FAILED_TO_CREATE_USER: 'storage.away',
};

/**
 * The cookies of a successful response.
 * @throws Problem if Better Auth rejected the request
 */
export async function cookiesOf(answer: Response): Promise<string[]> {
  if (answer.ok) return answer.headers.getSetCookie();
  const { code = '' } = (await answer.json()) as { code?: string };
  const known = problemOf[code];
  if (!known) throw new Error(`Better Auth answered ${answer.status} ${code}`);
  throw new Problem(known);
}

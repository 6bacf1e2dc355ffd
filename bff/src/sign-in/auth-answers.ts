import { Problem } from '../http/problem.ts';
import type { ProblemCode } from '../http/problem.ts';

/** Maps Better Auth's error codes to problem codes. */
const problemOf: Record<string, ProblemCode> = {
  INVALID_USERNAME_OR_PASSWORD: 'sign_in.wrong_password',
  USERNAME_IS_ALREADY_TAKEN: 'sign_up.name_taken',
};

/**
 * The cookies of a successful response.
 * @throws Problem if Better Auth rejected the request; `cause`, the error that it logged, if it failed
 */
export async function cookiesOf({ answer, cause }: { answer: Response; cause: Error | undefined }): Promise<string[]> {
  if (answer.ok) return answer.headers.getSetCookie();
  const { code = '' } = (await answer.json()) as { code?: string };
  const known = problemOf[code];
  if (known) throw new Problem(known, { cause });
  throw cause ?? new Error(`Better Auth answered ${answer.status} ${code}`);
}

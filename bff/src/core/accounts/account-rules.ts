import { Problem } from '../problem.ts';
import { codePoints, userNameRule, userNameInWords } from '../limits/field-rules.ts';
import { isCommonPassword } from './common-passwords.ts';
import { signInLimits } from '../limits/part-limits.ts';

export function foldUserName(text: string): string {
  return text.toLowerCase();
}

/** @throws Problem `sign_up.name_invalid`; `name` is folded already */
export function requireUserName(name: string) {
  if (userNameRule.test(name)) return;
  const code = 'sign_up.name_invalid';
  const detail = `must have ${userNameInWords}`;
  throw new Problem(code, { errors: [{ pointer: '/username', code, detail }] });
}

/** `passwords`: whether users have them. @throws Problem `sign_in.provider_only` */
export function requirePasswords(passwords: boolean) {
  if (!passwords) throw new Problem('sign_in.provider_only');
}

/**
 * @throws Problem `password.too_weak` at `pointer`, if the password is too short or too long; `password.too_common`, if it is
 *   one that many people use
 */
export async function requireUsablePassword({ password, pointer }: { password: string; pointer: string }) {
  const { least, most } = signInLimits.passwordLength;
  const length = codePoints(password);
  if (length < least || length > most) {
    const detail = `must have ${least} to ${most} characters`;
    throw new Problem('password.too_weak', { errors: [{ pointer, code: 'password.too_weak', detail }] });
  }
  if (await isCommonPassword(password)) {
    const detail = 'must not be a password that many people use';
    throw new Problem('password.too_common', { errors: [{ pointer, code: 'password.too_common', detail }] });
  }
}

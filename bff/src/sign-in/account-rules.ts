import { Problem } from '../problem.ts';
import { codePoints, userNameRule } from '../limits/field-rules.ts';
import { isCommonPassword } from './common-passwords.ts';

export function foldUserName(text: string): string {
  return text.toLowerCase();
}

/** @throws Problem `sign_up.name_invalid`; `name` is folded already */
export function requireUserName(name: string) {
  if (userNameRule.test(name)) return;
  const code = 'sign_up.name_invalid';
  const detail = 'must have 3 to 32 characters: a-z, 0-9, _ and -';
  throw new Problem(code, { errors: [{ pointer: '/username', code, detail }] });
}

const passwordRule = { least: 8, most: 128 };

/**
 * @throws Problem `password.too_weak` at `pointer`, if the password does not have 8 to 128 characters; `password.too_common`, if it is
 *   one that many people use
 */
export async function requireUsablePassword({ password, pointer }: { password: string; pointer: string }) {
  const length = codePoints(password);
  if (length < passwordRule.least || length > passwordRule.most) {
    const detail = `must have ${passwordRule.least} to ${passwordRule.most} characters`;
    throw new Problem('password.too_weak', { errors: [{ pointer, code: 'password.too_weak', detail }] });
  }
  if (await isCommonPassword(password)) {
    const detail = 'must not be a password that many people use';
    throw new Problem('password.too_common', { errors: [{ pointer, code: 'password.too_common', detail }] });
  }
}

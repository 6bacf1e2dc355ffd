import { t } from '../../text/text.ts';

/** The error of a new password. The same rule as on the server: the length in characters, not UTF-16 units. */
export function checkPassword(password: string): string | undefined {
  const { length } = [...password];
  if (length === 0) return t.account.sign_in.password_missing;
  if (length < 8) return t.account.sign_in.password_short;
  return length > 128 ? t.account.sign_in.password_long : undefined;
}

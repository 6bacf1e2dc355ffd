import { ProblemError } from '../../../api/problem.ts';
import { t } from '../../../text/text.ts';
import { errorText } from '../error-text.ts';
import type { Credentials } from './sign-in.api.ts';

export type CredentialFaults = Partial<Record<'username' | 'password' | 'form', string>>;

const userName = /^[a-z0-9_-]{3,32}$/u;

/** The error of a new password. The same rule as on the server: the length in characters, not UTF-16 units. */
export function checkPassword(password: string): string | undefined {
  const { length } = [...password];
  if (length === 0) return t.account.sign_in.password_missing;
  if (length < 8) return t.account.sign_in.password_short;
  return length > 128 ? t.account.sign_in.password_long : undefined;
}

/** Checks credentials before they are sent. Sign-in only requires non-empty fields. */
export function checkCredentials({ mode, username, password }: Credentials & { mode: 'sign-in' | 'sign-up' }) {
  const faults: CredentialFaults = {};
  if (username === '') faults.username = t.account.sign_in.username_missing;
  else if (mode === 'sign-up' && !userName.test(username)) faults.username = t.account.sign_in.username_malformed;
  const weak = mode === 'sign-up' || password === '' ? checkPassword(password) : undefined;
  if (weak) faults.password = weak;
  return faults;
}

/** Assigns the errors of the server to their fields, or to the form. */
export function credentialFaults(error: unknown): CredentialFaults {
  const text = errorText(error);
  if (!(error instanceof ProblemError)) return { form: text };
  if (error.code === 'session.missing') return { form: t.account.sign_in.no_cookie };
  if (error.code === 'sign_up.name_taken' || error.field('/username')) return { username: text };
  if (error.field('/password')) return { password: text };
  return { form: text };
}

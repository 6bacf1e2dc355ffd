import { ProblemError } from '../../../api/problem.ts';
import { t } from '../../../text/text.ts';
import { errorText } from '../error-text.ts';
import type { Credentials } from './sign-in.api.ts';

export type CredentialFaults = Partial<Record<'username' | 'password' | 'form', string>>;

const userName = /^[a-z0-9_-]{3,32}$/u;

/** What is wrong with a new password; the server's rule, counted in characters as a reader counts them. */
export function checkPassword(password: string): string | undefined {
  const { length } = [...password];
  if (length === 0) return t.account.sign_in.password_missing;
  if (length < 8) return t.account.sign_in.password_short;
  return length > 128 ? t.account.sign_in.password_long : undefined;
}

/** What can be told before anything is sent. Signing in asks only that something was typed. */
export function checkCredentials({ mode, username, password }: Credentials & { mode: 'sign-in' | 'sign-up' }) {
  const faults: CredentialFaults = {};
  if (username === '') faults.username = t.account.sign_in.username_missing;
  else if (mode === 'sign-up' && !userName.test(username)) faults.username = t.account.sign_in.username_malformed;
  const weak = mode === 'sign-up' || password === '' ? checkPassword(password) : undefined;
  if (weak) faults.password = weak;
  return faults;
}

/** Puts what the server refused at the field it is about, or above the form. */
export function credentialFaults(error: unknown): CredentialFaults {
  const text = errorText(error);
  if (!(error instanceof ProblemError)) return { form: text };
  if (error.code === 'session.missing') return { form: t.account.sign_in.no_cookie };
  if (error.code === 'sign_up.name_taken' || error.field('/username')) return { username: text };
  if (error.field('/password')) return { password: text };
  return { form: text };
}

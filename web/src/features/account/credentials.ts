import { ProblemError } from '../../api/problem.ts';
import { ta } from '../../text/account.ts';
import type { Credentials } from './account.api.ts';
import { errorText } from './error-text.ts';

export type CredentialFaults = Partial<Record<'username' | 'password' | 'form', string>>;

const userName = /^[a-z0-9_-]{3,32}$/u;

/** What can be told before anything is sent. Signing in asks only that something was typed. */
export function checkCredentials({ mode, username, password }: Credentials & { mode: 'sign-in' | 'sign-up' }) {
  const faults: CredentialFaults = {};
  const length = [...password].length;
  if (username === '') faults.username = ta.sign_in.username_missing;
  else if (mode === 'sign-up' && !userName.test(username)) faults.username = ta.sign_in.username_malformed;
  if (password === '') faults.password = ta.sign_in.password_missing;
  else if (mode === 'sign-up' && length < 8) faults.password = ta.sign_in.password_short;
  else if (mode === 'sign-up' && length > 128) faults.password = ta.sign_in.password_long;
  return faults;
}

/** Puts what the server refused at the field it is about, or above the form. */
export function credentialFaults(error: unknown): CredentialFaults {
  const text = errorText(error);
  if (!(error instanceof ProblemError)) return { form: text };
  if (error.code === 'session.missing') return { form: ta.sign_in.no_cookie };
  if (error.code === 'sign_up.name_taken' || error.field('/username')) return { username: text };
  if (error.field('/password')) return { password: text };
  return { form: text };
}

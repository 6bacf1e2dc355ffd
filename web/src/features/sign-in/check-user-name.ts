import { t } from '../../text/text.ts';

const userName = /^[a-z0-9_-]{3,32}$/u;

/** What is wrong with a user name that is chosen. */
export function checkUserName(username: string): string | undefined {
  if (username === '') return t.account.sign_in.username_missing;
  return userName.test(username) ? undefined : t.account.sign_in.username_malformed;
}

import { userNameRule } from '@swarmdeck/bff/field-rules';
import { t } from '../../text/text.ts';

/** What is wrong with a user name that is chosen. The server leaves out the spaces around it, which keyboards of phones add. */
export function checkUserName(typed: string): string | undefined {
  const username = typed.trim();
  if (username === '') return t.account.sign_in.username_missing;
  return userNameRule.test(username) ? undefined : t.account.sign_in.username_malformed;
}

import { userNameRule } from '@swarmdeck/bff/field-rules';
import { t } from '../../text/text.ts';

/** What is wrong with a user name that is chosen. */
export function checkUserName(username: string): string | undefined {
  if (username === '') return t.account.sign_in.username_missing;
  return userNameRule.test(username) ? undefined : t.account.sign_in.username_malformed;
}

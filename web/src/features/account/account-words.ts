import { account } from '../../text/en.account.ts';
import { localize } from '../../text/text.ts';

/** Words of signing in and of the account page; they load with those pages. */
export const words = localize(account);

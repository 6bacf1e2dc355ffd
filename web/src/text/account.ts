import { account } from './en.account.ts';
import { localize } from './text.ts';

/** The dictionary of signing in and of the account page, in the reader's language. Loads with those pages. */
export const ta = localize(account);

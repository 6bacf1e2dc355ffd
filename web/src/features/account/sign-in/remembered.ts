import { createPreference } from '../../../ui/preference.ts';

/**
 * Whether a user was signed in here last time. Then the page is loaded in parallel with the account. It grants no
 * access.
 */
export const remembered = createPreference({ key: 'signed_in', values: ['no', 'yes'] });

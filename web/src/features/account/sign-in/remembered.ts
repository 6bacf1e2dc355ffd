import { createPreference } from '../../../ui/preference.ts';

/**
 * Whether somebody was signed in here last time. Then the page is drawn beside the question who it is, and not after
 * it; no right comes of it.
 */
export const remembered = createPreference({ key: 'signed_in', values: ['no', 'yes'] });

import { createPreference } from '../../../ui/preference.ts';

/**
 * Whether the user was signed in when this browser last asked. If so, the page renders while the account is still being
 * requested. It grants no rights.
 */
export const remembered = createPreference({ key: 'signed_in', values: ['unknown', 'no', 'yes'] });

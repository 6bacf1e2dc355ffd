import { createPreference } from '../../ui/preference.ts';

/** Whether Start was seen here and its next steps are still of interest. */
export const begun = createPreference({ key: 'start', values: ['no', 'yes'] });

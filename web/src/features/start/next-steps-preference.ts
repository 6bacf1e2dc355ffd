import { createPreference } from '../../ui/preference.ts';

/** Whether the start panel was shown in this browser and its next steps have not been dismissed. */
export const begun = createPreference({ key: 'start', values: ['no', 'yes'] });

import { createPreference } from '../../ui/preference.ts';

/** Whether the start panel was shown in this browser and its next steps have not been dismissed. */
export const nextStepsPreference = createPreference({ key: 'start', values: ['no', 'yes'] });

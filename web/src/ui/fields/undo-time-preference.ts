import { createPreference } from '../browser/preference.ts';

/** In seconds. */
export const undoTimes = ['10', '30', '60'] as const;

/** How long the user can undo an action. */
export const undoTime = createPreference({ key: 'undo_seconds', values: undoTimes });

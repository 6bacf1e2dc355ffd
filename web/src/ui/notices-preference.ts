import { createPreference } from './preference.ts';

/** Whether this browser shows notices while a tab is open. It asks the user when this is switched on. */
export const browserNotices = createPreference({ key: 'browser_notices', values: ['off', 'on'] });

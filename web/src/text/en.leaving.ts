import { capital, spelled } from './en.counts.ts';
import { plural } from './plural.ts';

/** What stands between somebody and the way out while something is not saved. */
export const leaving = {
  title: 'Leave without saving?',
  text: (count: number) =>
    `${capital(spelled(count, String(count)))} ${plural(count, { one: 'field is', other: 'fields are' })} not saved.`,
  stay: 'Stay here',
  leave: 'Leave and lose it',
};

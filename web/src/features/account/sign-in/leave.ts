import { remembered } from './remembered.ts';

/** Leaves by a whole new page: nothing of this user stays in memory for the next one. */
export function leave(): void {
  remembered.set('no');
  location.assign('/sign-in');
}

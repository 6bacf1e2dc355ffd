import { forgetDrafts } from '../../../ui/kept-draft.ts';
import { remembered } from './remembered.ts';

/** Leaves by a whole new page: nothing of this user stays for the next one, nor what was typed. */
export function leave(): void {
  remembered.set('no');
  forgetDrafts();
  location.assign('/sign-in');
}

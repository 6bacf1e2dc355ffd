import { forgetDrafts } from '../../../ui/kept-draft.ts';
import { remembered } from './remembered.ts';

/** Tells the tabs of this browser who is signed in: the user name, or an empty string after signing out. */
const userKey = 'session_user';

/** Called after signing out, in the tab in which the user has signed out. The other tabs follow (`followSession`). */
export function leave(): void {
  remembered.set('no');
  write('');
  closePage('/sign-in');
}

/** Closes this page as soon as this user has signed out, or somebody else has signed in, in another tab. */
export function followSession(user_id: string): () => void {
  write(user_id);
  const check = () => {
    const now = read();
    if (now !== null && now !== user_id) closePage(now === '' ? '/sign-in' : '/');
  };
  const onStorage = ({ key }: StorageEvent) => {
    if (key === userKey) check();
  };
  addEventListener('storage', onStorage);
  // a page that the browser shows again from its memory, after Back
  addEventListener('pageshow', check);
  return () => {
    removeEventListener('storage', onStorage);
    removeEventListener('pageshow', check);
  };
}

/** Hides everything at once, and loads a new page: nothing of this user stays in memory. */
function closePage(next: string) {
  document.documentElement.hidden = true;
  forgetDrafts();
  location.assign(next);
}

function write(user_id: string) {
  try {
    localStorage.setItem(userKey, user_id);
  } catch {
    // Without storage, the other tabs learn it from their next request.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(userKey);
  } catch {
    return null;
  }
}

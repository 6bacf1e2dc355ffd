import { clearDrafts } from '../../../ui/persisted-draft.ts';
import { createPreference } from '../../../ui/preference.ts';

/**
 * Whether the user was signed in at the last request of this browser. If so, the page renders while the account is
 * still being requested. It grants no rights.
 */
export const remembered = createPreference({ key: 'signed_in', values: ['unknown', 'no', 'yes'] });

/** Storage key that tells the other tabs who is signed in: the user name, or an empty string after sign-out. */
const userKey = 'session_user';

/** Called after sign-out. The other tabs close their pages, too (`followSession`). `next`: the page that follows. */
export function announceSignOut({ next = '/sign-in' }: { next?: string } = {}): void {
  remembered.set('no');
  write('');
  closePage(next);
}

/** Closes this page when this user signs out, or another user signs in, in another tab. */
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
  // A page that the browser restores from the back/forward cache.
  addEventListener('pageshow', check);
  return () => {
    removeEventListener('storage', onStorage);
    removeEventListener('pageshow', check);
  };
}

/** Hides everything immediately and loads a new page, so that no data of this user stays in memory. */
function closePage(next: string) {
  document.documentElement.hidden = true;
  clearDrafts();
  location.assign(next);
}

function write(user_id: string) {
  try {
    localStorage.setItem(userKey, user_id);
  } catch {
    // Without storage, the other tabs notice it at their next request.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(userKey);
  } catch {
    return null;
  }
}

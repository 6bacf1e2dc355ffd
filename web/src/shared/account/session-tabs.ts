import { useSyncExternalStore } from 'react';
import { createListeners } from '../../data/listeners.ts';
import { onNewPage } from '../../data/new-page.ts';
import { feedPosition } from '../../data/stream/feed-position.ts';
import {
  createPreference,
  createStoredText,
  forgetPreferences,
  readStored,
  writeStored,
} from '../../ui/browser/preference.ts';
import { discardUnsavedInput, hasUnsavedInput } from '../../ui/fields/unsaved-input.ts';

/**
 * Whether the user was signed in at the last request of this browser. If so, the page renders while the account is
 * still being requested. It grants no rights.
 */
export const remembered = createPreference({ key: 'signed_in', values: ['unknown', 'no', 'yes'] });

/** The id of the session whose user has signed out without a network. The server ends it before it is asked for anything else. */
export const dueSignOut = createStoredText('sign_out_due');

/** Storage key that tells the other tabs who is signed in: the user name, or an empty string after sign-out. */
const userKey = 'session_user';

/** Storage key of the name of the server's feed when this browser was last signed in. */
const feedKey = 'feed';

/** Called with each account that the server has sent. */
export function rememberFeed(): void {
  const { answered } = feedPosition.names();
  if (answered !== undefined && readStored(feedKey) !== answered) writeStored(feedKey, answered);
}

/** Whether the server was restored from a backup since this browser was signed in, which has ended all sessions. */
export function wasRestored(): boolean {
  const { refused } = feedPosition.names();
  const before = readStored(feedKey);
  // After a restore, the server gives its feed a name that begins with `r`.
  return before !== null && refused !== undefined && refused !== before && refused.startsWith('r');
}

/** What the page does when the session ends while it has unsaved input. */
let cover = () => {};
/** The user for whom this page is rendered. Only an account of theirs uncovers it. */
let owner: string | undefined;
/** Whether another user is signed in, while this page stays, covered, for its input. */
let kept = false;
const keptListeners = createListeners();
function setKept(next: boolean) {
  kept = next;
  keptListeners.notify();
}
/** Whether the user has ended the session here, or another one has signed in, which this user may not know. */
export type SessionEnd = 'by_user' | 'by_another';
/** What deletes the data of the user in this browser. */
const deletions = new Set<(end: SessionEnd) => Promise<void>>();
onNewPage(() => {
  cover = () => {};
  owner = undefined;
  kept = false;
  deletions.clear();
});

/**
 * Registers what deletes the data of the user in this browser. The page waits for it before it closes. Returns a function
 * that ends that.
 */
export function onSessionEnd(run: (end: SessionEnd) => Promise<void>): () => void {
  deletions.add(run);
  return () => void deletions.delete(run);
}

/** The last user of this browser; empty after a sign-out, null before the first sign-in. */
export const lastUser = () => readStored(userKey);

/** Whether this user is signed in, as far as this browser knows. */
export const isUser = (user_id: string) => readStored(userKey) === user_id;

/** Whether this page is covered because another user has signed in. */
export const isKept = () => kept;
export const useIsKept = () => useSyncExternalStore(keptListeners.subscribe, isKept);

/**
 * Called with each account that the server sends, before this page has it. Returns whether it is of another user than the page,
 * in whichever way that one has signed in: the session has ended for this page, which closes without input. The sign-in may not be
 * announced yet: after a sign-up, the recovery codes are shown first.
 */
export function refusesAccount(user_id: string): boolean {
  if (owner === undefined || user_id === owner) return false;
  if (!kept) {
    setKept(true);
    const deleted = noteUser(user_id);
    if (!hasUnsavedInput()) closePage('/', deleted);
  }
  return true;
}

/**
 * Called after each sign-in, also in a dialog over the page. If another user was signed in before, this tab deletes what that user has
 * left in this browser, once. A tab that notices it later deletes nothing: what it finds may be the new user's.
 */
export function announceSignIn(user_id: string): void {
  void noteUser(user_id);
}

/** Resolves when what another user has left is deleted. */
async function noteUser(user_id: string): Promise<void> {
  // This page is being closed: the account was on its way here while the user signed out.
  if (document.documentElement.hidden) return;
  remembered.set('yes');
  if (owner === user_id) setKept(false);
  const before = readStored(userKey);
  // To write the same again could replace a sign-out in another tab that has not arrived here.
  if (before === user_id) return;
  writeStored(userKey, user_id);
  if (before) await deleteOfUser('by_another');
}

/**
 * Called when a page has read the account. If the last thing that this browser knows is a sign-out, it may have happened
 * after that, in another tab: `readAgain` returns whether the user is signed in now. If not, the page is closed.
 */
export async function announceAccount(user_id: string, readAgain: () => Promise<boolean>): Promise<void> {
  if (hasSignedOut() && !(await readAgain())) endPage('/sign-in', deleteOfUser('by_user'));
  else announceSignIn(user_id);
}

/** Called after sign-out. The other tabs close their pages, too (`followSession`). `next`: where the user also signs out at a provider. */
export function announceSignOut(next = '/sign-in'): void {
  remembered.set('no');
  writeStored(userKey, '');
  endPage(next, deleteOfUser('by_user'));
}

/** Called after the account was deleted: nobody can sign in to save what was typed. */
export function announceDeletion(): void {
  remembered.set('no');
  writeStored(userKey, '');
  closePage('/sign-in?deleted=1', deleteOfUser('by_user'));
}

/**
 * Closes this page when this user signs out, or another user signs in, in another tab. If the page has unsaved input then,
 * `onEnded` covers it, as if the session had expired. `user_id` is undefined until the account has
 * been read.
 */
export function followSession(user_id: string | undefined, onEnded: () => void): () => void {
  cover = onEnded;
  owner = user_id;
  const check = () => {
    // It is covered already. What this browser has is of other users since.
    if (isKept()) return;
    const now = readStored(userKey);
    if (now === '') endPage('/sign-in', deleteOfUser('by_user'));
    else if (user_id !== undefined && now !== null && now !== user_id) {
      setKept(true);
      endPage('/');
    }
  };
  const onStorage = ({ key }: StorageEvent) => {
    if (key === userKey) check();
  };
  addEventListener('storage', onStorage);
  // Not after a load: what the server has said then is newer than what this browser has stored, and the page would load again and again.
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && check();
  if (user_id !== undefined) addEventListener('pageshow', onShow);
  return () => {
    owner = undefined;
    removeEventListener('storage', onStorage);
    removeEventListener('pageshow', onShow);
  };
}

/** Whether the user has signed out in this browser. */
export const hasSignedOut = () => readStored(userKey) === '';

/** Closes the page. With unsaved input it is covered instead. */
function endPage(next: string, deleted?: Promise<void>) {
  if (hasUnsavedInput()) cover();
  else closePage(next, deleted);
}

/** Deletes what the user has left in this browser. */
async function deleteOfUser(end: SessionEnd): Promise<void> {
  forgetPreferences();
  // One that fails does not cut the others short.
  await Promise.allSettled([...deletions].map((run) => run(end)));
}

/** Hides everything immediately and loads a new page, so that no data of this user stays in memory. */
function closePage(next: string, deleted = Promise.resolve()) {
  document.documentElement.hidden = true;
  discardInput();
  void deleted.finally(() => location.assign(next));
}

/** Loads the sign-in page for another user. What was typed on this page is discarded. */
export function leavePage(): void {
  discardInput();
  location.assign('/sign-in');
}

function discardInput() {
  // A question of the browser would leave an empty page.
  discardUnsavedInput();
  try {
    // Drafts (ui/fields/persisted-draft.ts).
    sessionStorage.clear();
  } catch {
    // The storage is off.
  }
}

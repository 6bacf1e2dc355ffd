import { useSyncExternalStore } from 'react';
import { createListeners } from '../../data/listeners.ts';
import { onNewPage } from '../../data/new-page.ts';

interface Preference<Value extends string | null> {
  get(): Value;
  set(value: Value): void;
  subscribe(changed: () => void): () => void;
}

interface CreatePreferenceOptions<Value extends string> {
  key: string;
  values: readonly [Value, ...Value[]];
}

/** The settings that the account page calls those of this browser, and who is signed in, or has signed out without a network. */
const ofBrowser: ReadonlySet<string> = new Set([
  'theme',
  'lang',
  'keys',
  'undo_seconds',
  'signed_in',
  'session_user',
  'sign_out_due',
  'passkey_offered',
]);

const forgotten = createListeners();

/** A text stored in this browser and shared by its tabs, or null. If the storage is off, it lasts as long as the page. */
export function createStoredText(key: string): Preference<string | null> {
  const { subscribe, notify } = createListeners();
  let current = readStored(key);
  const readAgain = () => {
    current = readStored(key);
    notify();
  };
  globalThis.addEventListener?.('storage', (event) => event.key === key && readAgain());
  onNewPage(readAgain);
  if (!ofBrowser.has(key)) forgotten.subscribe(readAgain);
  return {
    get: () => current,
    set(value) {
      current = value;
      writeStored(key, value);
      notify();
    },
    subscribe,
  };
}

/** A preference stored in this browser and shared by its tabs. The first value is the default and is not stored. */
export function createPreference<const Value extends string>({
  key,
  values,
}: CreatePreferenceOptions<Value>): Preference<Value> {
  const { get, set, subscribe } = createStoredText(key);
  return {
    get: () => values.find((value) => value === get()) ?? values[0],
    set: (value) => set(value === values[0] ? null : value),
    subscribe,
  };
}

export function usePreference<Value extends string | null>({ subscribe, get }: Preference<Value>): Value {
  return useSyncExternalStore(subscribe, get);
}

/** Deletes what a user whose session has ended has chosen on pages, also if the code of them has not been loaded. */
export function forgetPreferences(): void {
  try {
    for (const key of Object.keys(localStorage)) if (!ofBrowser.has(key)) localStorage.removeItem(key);
  } catch {
    // The storage is off.
  }
  forgotten.notify();
}

/** What this browser has stored. Null if its storage is off, such as in private windows of some browsers. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null removes it. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The value lasts as long as the page.
  }
}

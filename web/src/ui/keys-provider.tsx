import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { KeyPlace, KeysOf } from './key-table.ts';
import { createKeys } from './keys.ts';
import type { Keys } from './keys.ts';
import { createPreference } from './preference.ts';

const Context = createContext<Keys | null>(null);

/** Whether single keys do anything: a screen reader's user, or a cat's, may switch them off. */
export const keysPreference = createPreference({ key: 'keys', values: ['on', 'off'] });

export function KeysProvider({ children }: { children: ReactNode }) {
  const [keys] = useState(() => createKeys({ enabled: () => keysPreference.get() === 'on', now: Date.now }));
  useEffect(() => {
    document.addEventListener('keydown', keys.handle);
    return () => document.removeEventListener('keydown', keys.handle);
  }, [keys]);
  return <Context value={keys}>{children}</Context>;
}

/** Registers the keys of a place for as long as the component is there; null while they would do nothing. */
export function useKeys<Place extends KeyPlace>(place: Place, acts: KeysOf<Place> | null): void {
  const keys = use(Context);
  useEffect(() => (acts ? keys?.register({ place, acts }) : undefined), [keys, place, acts]);
}

/** All that is registered, and how to press it by a button. */
export function useKeyboard(): Keys {
  const keys = use(Context);
  if (!keys) throw new Error('KeysProvider is missing');
  return keys;
}

/** Stands for a dialog while its code loads: what is typed goes to the dialog (dialog.tsx), not to shortcuts. */
export function CollectTyped() {
  const keys = useKeyboard();
  useEffect(() => {
    keys.collectTyped();
    return () => void keys.takeTyped();
  }, [keys]);
  return null;
}

/** False where a hint would promise what is switched off. */
export function useKeysEnabled(): boolean {
  return useSyncExternalStore(keysPreference.subscribe, keysPreference.get) === 'on';
}

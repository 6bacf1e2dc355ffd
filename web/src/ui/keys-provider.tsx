import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { createKeys } from './keys.ts';
import type { KeyBindings, Keys } from './keys.ts';
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

/** Registers keys for as long as the component is there: `useKeys({ c: add, '/': search, 'g d': goToDevices })`. */
export function useKeys(bindings: KeyBindings): void {
  const keys = use(Context);
  useEffect(() => keys?.register(bindings), [keys, bindings]);
}

/** False where a hint would promise what is switched off. */
export function useKeysEnabled(): boolean {
  return useSyncExternalStore(keysPreference.subscribe, keysPreference.get) === 'on';
}

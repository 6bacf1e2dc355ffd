import './key-hint.css';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { createKeys, type KeyScope, type KeysOf, type Keys, type NamedMenuItem } from './keys.ts';
import { createPreference, usePreference } from './preference.ts';
import { useEventListener } from './use-event-listener.ts';

const Context = createContext<Keys | null>(null);

/** Whether single-key shortcuts are on. They can conflict with screen readers and speech input (WCAG 2.1.4). */
export const keysPreference = createPreference({ key: 'keys', values: ['on', 'off'] });

export function KeysProvider({ children }: { children: ReactNode }) {
  const [keys] = useState(() => createKeys({ enabled: () => keysPreference.get() === 'on', now: Date.now }));
  useEventListener(document, 'keydown', keys.handle);
  return <Context value={keys}>{children}</Context>;
}

/** Registers the keys of a part of the app while the component is mounted. `null` registers none. */
export function useKeys<Scope extends KeyScope>(scope: Scope, handlers: KeysOf<Scope> | null): void {
  const keys = use(Context);
  useEffect(() => (handlers ? keys?.register({ scope, handlers }) : undefined), [keys, scope, handlers]);
}

/** Offers the items of a menu in the palette while the component is mounted. `null` offers none. */
export function usePaletteMenu(scope: KeyScope, menu: readonly NamedMenuItem[] | null): void {
  const keys = use(Context);
  useEffect(() => (menu ? keys?.register({ scope, handlers: {}, menu }) : undefined), [keys, scope, menu]);
}

/** All registered keys. */
export function useKeyboard(): Keys {
  const keys = use(Context);
  if (!keys) throw new Error('KeysProvider is missing');
  return keys;
}

/** Shown while a dialog's code loads: collects typed text for the dialog (dialog.tsx), so that it triggers no shortcuts. */
export function CollectTyped() {
  const keys = useKeyboard();
  useEffect(() => {
    keys.collectTyped();
    return () => void keys.takeTyped();
  }, [keys]);
  return null;
}

/** Whether shortcuts are on, so that hints may be shown. */
export function useKeysEnabled(): boolean {
  return usePreference(keysPreference) === 'on';
}

/** A shortcut, drawn beside its action. Not shown on touch screens, and hidden from screen readers. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <kbd className="key-hint" aria-hidden="true">
      {keys}
    </kbd>
  );
}

import './key-hint.css';
import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { keysOf, possibleCommands, type Command, type CommandId, type CommandScope, type RunsOf } from './commands.ts';
import { createKeys, keyNames, typing, type KeyLayer, type Keys } from './keys.ts';
import { createPreference, usePreference } from '../browser/preference.ts';
import { useEventListener } from '../browser/use-event-listener.ts';

const Context = createContext<Keys | null>(null);

/** Whether single-key shortcuts are on. They can conflict with screen readers and speech input (WCAG 2.1.4). */
export const keysPreference = createPreference({ key: 'keys', values: ['on', 'off'] });

export function KeysProvider({ children }: { children: ReactNode }) {
  const [keys] = useState(() => createKeys({ enabled: () => keysPreference.get() === 'on', now: Date.now }));
  useEventListener(document, 'keydown', keys.handle);
  return <Context value={keys}>{children}</Context>;
}

/**
 * Offers the commands of a part of the app while the component is mounted: by their keys, and in the palette. `null` offers
 * none. Returns those that are possible, for a menu.
 */
export function useCommands<Scope extends CommandScope>(scope: Scope, runs: RunsOf<Scope> | null): Command[] {
  const keys = use(Context);
  const [part] = useState({});
  const commands = runs ? possibleCommands(scope, runs) : [];
  const ids = runs && commands.map(({ id }) => id).join();
  const run = useEffectEvent((wanted: string, event: KeyboardEvent) =>
    commands.find(({ id }) => id === wanted)?.run(event),
  );
  useEffect(() => {
    // What is offered does what the command does when it runs, so it stays the same until others are possible.
    const offered = ids?.split(',').map((id) => [id, (event: KeyboardEvent) => run(id, event)] as const);
    const layer = offered && { scope, commands: possibleCommands(scope, Object.fromEntries(offered)) };
    keys?.offer(part, layer ?? null);
  }, [keys, part, scope, ids]);
  useEffect(() => () => keys?.offer(part, null), [keys, part]);
  return commands;
}

/** All registered keys. */
export function useKeyboard(): Keys {
  const keys = use(Context);
  if (!keys) throw new Error('KeysProvider is missing');
  return keys;
}

/** The commands that are possible now, by the parts of the app where they work: those with priority first. */
export function useCommandLayers(): readonly KeyLayer[] {
  const { subscribe, layers } = useKeyboard();
  return useSyncExternalStore(subscribe, layers);
}

/** The commands of a part of the app that are possible now, for a menu in another part. */
export function useOffered(scope: CommandScope): Command[] {
  return useCommandLayers().flatMap((layer) => (layer.scope === scope ? layer.commands : []));
}

/**
 * Shown while a dialog's code loads: collects typed text for the dialog (dialog.tsx), so that it triggers no shortcuts. A field
 * that has the focus, and would take the text, gives it up meanwhile.
 */
export function CollectTyped() {
  const keys = useKeyboard();
  useLayoutEffect(() => {
    const { activeElement } = document;
    const field = activeElement instanceof HTMLElement && activeElement.matches(typing) ? activeElement : null;
    field?.blur();
    // Before the dialog opens: the browser returns the focus to it when that is closed.
    return () => field?.focus();
  }, []);
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

/** The key of a command beside its button. Nothing if shortcuts are off. */
export function CommandKey<Scope extends CommandScope>({ scope, id }: { scope: Scope; id: CommandId<Scope> }) {
  return useKeysEnabled() && <KeyHint keys={keyNames(keysOf(scope, id)).join(' ')} />;
}

/** A shortcut, drawn beside its action. Not shown on touch screens, and hidden from screen readers. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <kbd className="key-hint" aria-hidden="true">
      {keys}
    </kbd>
  );
}

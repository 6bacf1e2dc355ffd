import { useEffect, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { confirmation } from '../data/confirmation.ts';
import { saveForm } from '../ui/keys/keys.ts';
import { CollectTyped, useCommands, useKeyboard } from '../ui/keys/keys-provider.tsx';
import { lazyPart } from '../ui/pages/lazy.tsx';
import { useIsSettled } from '../ui/pages/use-is-settled.ts';
import { CrashBoundary } from './crash-boundary.tsx';

const Palette = lazyPart(async () => (await import('./palette/palette.tsx')).Palette, { Fallback: CollectTyped });
const ConfirmIdentity = lazyPart(
  async () => (await import('../features/sign-in/confirm/confirm-identity.tsx')).ConfirmIdentity,
);
const AppCommands = lazyPart(async () => (await import('./app-commands.ts')).AppCommands);
const Help = lazyPart(async () => (await import('./help/help.tsx')).Help, { Fallback: CollectTyped });

/** The command palette, the help, the dialog that confirms the user's identity, and the keys that work on every page. */
export function Overlays() {
  const navigate = useNavigate();
  const keyboard = useKeyboard();
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const go = (to: string) => () => void navigate(to);
  useCommands('everywhere', {
    go_devices: go('/'),
    go_swarms: go('/swarms'),
    go_invitations: go('/invitations'),
    go_account: go('/account'),
    jump: () => setOpen('palette'),
    save: saveForm,
    help: () => setOpen('help'),
    add_device() {
      // The page and its dialog may have to load first.
      keyboard.collectTyped();
      const { pathname, search } = location;
      // The visible list keeps its state.
      void navigate({ pathname: '/', search: pathname === '/' ? search : '' }, { state: { add: '' } });
    },
    invite: go('/invite'),
  });
  const isSettled = useIsSettled();
  useEffect(() => {
    if (!isSettled) return undefined;
    // Then they open at the first key, also without a connection.
    void Palette.preload();
    void Help.preload();
    // If it cannot be loaded, browsers show titles instead of tooltips, and choose the place on a turned phone.
    const late = import('./late-parts.ts').then(
      ({ startLateParts }) => startLateParts(),
      () => () => {},
    );
    return () => void late.then((end) => end());
  }, [isSettled]);
  const close = () => setOpen(null);
  const isConfirming = useSyncExternalStore(confirmation.subscribe, confirmation.isAsked);
  return (
    <>
      {open && (
        <CrashBoundary>{open === 'palette' ? <Palette onClose={close} /> : <Help onClose={close} />}</CrashBoundary>
      )}
      {isSettled && <AppCommands />}
      {isConfirming && <ConfirmIdentity />}
    </>
  );
}

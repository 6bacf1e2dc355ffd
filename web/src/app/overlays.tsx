import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../text/text.ts';
import type { KeysOf } from '../ui/key-table.ts';
import { useKeyboard, useKeys } from '../ui/keys-provider.tsx';
import { lazyPart } from '../ui/lazy.tsx';
import { CrashBoundary } from './crash-boundary.tsx';
import { places as destinations } from './destinations.ts';
import type { Place } from './destinations.ts';

const Palette = lazyPart(async () => (await import('./palette/palette.tsx')).Palette, Typed);
const Help = lazyPart(async () => (await import('./help/help.tsx')).Help, Typed);

/** Afterwards they open at the first key, also without a connection. */
export function preloadOverlays(): void {
  Palette.preload();
  Help.preload();
}

/** For as long as it is there. */
function takeFocus(input: HTMLElement | null) {
  const before = document.activeElement as HTMLElement | null;
  input?.focus();
  return () => before?.focus();
}

/** Until it has come, this takes what is typed: the keys of the page must not have it, and the palette begins with it. */
function Typed() {
  return (
    <dialog open className="visually-hidden">
      <input id="typed" aria-label={t.shell.kit.jump} ref={takeFocus} />
    </dialog>
  );
}

/** What comes over every page, and the keys that work on all of them. */
export function Over() {
  const navigate = useNavigate();
  const keyboard = useKeyboard();
  const [over, setOver] = useState<'palette' | 'help' | null>(null);
  const acts = useMemo((): KeysOf<'everywhere'> => {
    const go = (to: string, state?: unknown) => () => void navigate(to, { state });
    const places = Object.fromEntries(destinations.map(({ keys, to }) => [keys, go(to)])) as Record<
      Place['keys'],
      () => void
    >;
    return {
      ...places,
      'mod k': () => setOver('palette'),
      '?': () => setOver('help'),
      c() {
        // the page and its dialog may take a while to load
        keyboard.collectTyped();
        go('/', { add: '' })();
      },
      i: go('/invite'),
    };
  }, [keyboard, navigate]);
  useKeys('everywhere', acts);
  const close = () => setOver(null);
  if (over === null) return null;
  return <CrashBoundary>{over === 'palette' ? <Palette onClose={close} /> : <Help onClose={close} />}</CrashBoundary>;
}

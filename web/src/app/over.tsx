import { Suspense, lazy, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { KeysOf } from '../ui/key-table.ts';
import { useKeys } from '../ui/keys-provider.tsx';
import { CrashBoundary } from './crash-boundary.tsx';
import { places as destinations } from './places.ts';
import type { Place } from './places.ts';

const loadPalette = () => import('./palette/palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const Help = lazy(async () => ({ default: (await import('./help/help.tsx')).Help }));

/** So that it is there at the first key, also while the service is away. */
export const preloadPalette = () => loadPalette().catch(() => undefined);

/** What comes over every page, and the keys that work on all of them. */
export function Over() {
  const navigate = useNavigate();
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
      c: go('/', { add: '' }),
      i: go('/invite'),
    };
  }, [navigate]);
  useKeys('everywhere', acts);
  const close = () => setOver(null);
  if (over === null) return null;
  return (
    <CrashBoundary>
      {/* until it has come, an empty dialog keeps what is typed from the keys of the page */}
      <Suspense fallback={<dialog open className="visually-hidden" />}>
        {over === 'palette' ? <Palette onClose={close} /> : <Help onClose={close} />}
      </Suspense>
    </CrashBoundary>
  );
}

import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, followed as it changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Below this width there is one column, a bottom bar, and dialogs are sheets. */
export const phone = '(max-width: 47.9375em)';

/** Touch screens: rows and controls are taller, and key hints are hidden. */
export const touch = '(pointer: coarse)';

/** A length that was designed for the browser's default text size of 16 px, at the user's text size, in px. */
export function atTextSize(length: number): number {
  return (length / 16) * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

import { useMemo, useSyncExternalStore } from 'react';
import { subscribeTo } from '../../data/listeners.ts';

/** Whether a media query holds, followed as it changes. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => matchMedia(query), [query]);
  const subscribe = useMemo(() => subscribeTo(list, 'change'), [list]);
  return useSyncExternalStore(subscribe, () => list.matches);
}

/** Below this width there is one column, a bottom bar, and dialogs are sheets. */
export const phone = '(max-width: 47.9375em)';

/**
 * Too low for bars that stay and a list that scrolls by itself: a phone in landscape, an open keyboard, large text, or a
 * window at 400 %. Pages and panels scroll as a whole there.
 */
export const low = '(max-height: 31.25em)';

/** A phone in landscape: too narrow for a map between a list and a card. */
export const landscape = '(max-height: 31.25em) and (min-width: 48em) and (max-width: 63.9375em)';

/** Too low for a sheet over a map: on a phone, the map and the list are parts of one page. */
export const lowest = '(max-height: 20em)';

/** Touch screens: rows and controls are taller, and key hints are hidden. */
export const touch = '(pointer: coarse)';

/** On a phone, and wherever fingers cover what they touch, the map moves under a pin when a device is placed. */
export const pinned = `${touch}, ${phone}`;
export const isPinned = () => matchMedia(pinned).matches;

/** A length that was designed for the browser's default text size of 16 px, at the user's text size, in px. */
export function atTextSize(length: number): number {
  return (length / 16) * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

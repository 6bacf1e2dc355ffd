/**
 * Back closes the top layer (a dialog, a menu, a sheet) before it leaves the page.
 *
 * A page with a layer has a second history entry, its guard, with the same URL. Back then arrives at the page's own
 * entry: the top layer is closed, and the browser goes forward to the guard again. Without a layer, Back goes on to
 * the page before. The guard stays after the layers have closed, because removing it is asynchronous and would race
 * with the next navigation. No navigation event can do this: browsers do not let a page cancel leaving the app.
 */
import { useEffect, useEffectEvent } from 'react';
import { onNewPage } from '../../data/new-page.ts';

interface Entry {
  href: string;
  state: State;
}

/** `below` and `guard` hold the same id in the two entries of a page. */
interface State {
  below?: number;
  guard?: number;
}

const layers: (() => void)[] = [];
const readEntry = (): Entry => ({ href: location.href, state: (history.state ?? {}) as State });
let current = readEntry();

/** Call after each change of the history: afterwards `isWithinPage` knows where Back started. */
export function noteEntry(): void {
  current = readEntry();
}
onNewPage(noteEntry);

/** The URL of the entry that `popstate` has left. */
export const leftUrl = () => current.href;

/** Call on `popstate`: adds the entry again that the browser has left. Back leads to where the browser is now. */
export function returnToLeft(): void {
  history.pushState(current.state, '', current.href);
  noteEntry();
}

/** A new state for `history.replaceState` that keeps the entry's role (page or guard). */
export function keepEntryRole(state: unknown): unknown {
  const { below, guard } = (history.state ?? {}) as State;
  if (below === undefined && guard === undefined) return state ?? null;
  return { ...(state as object | null), ...(below !== undefined && { below }), ...(guard !== undefined && { guard }) };
}

/**
 * Call on `popstate`. Returns true if the browser went from one entry of a page to the other one. The page does not
 * change then: Back has closed the top layer, or goes on to the page before.
 */
export function isWithinPage(): boolean {
  const from = current;
  const { below, guard } = (history.state ?? {}) as State;
  const wentBack = below !== undefined && below === from.state.guard;
  const wentForward = guard !== undefined && guard === from.state.below;
  if (!wentBack && !wentForward) return false;
  const { below: _below, guard: _guard, ...state } = from.state;
  // The page may have changed its filters or its selection since the other entry was written.
  history.replaceState({ ...state, ...(wentBack ? { below } : { guard }) }, '', from.href);
  noteEntry();
  if (wentBack) {
    const close = layers.at(-1);
    close?.();
    history.go(close ? 1 : -1);
  }
  return true;
}

/** While `open`, Back calls `onClose` instead of leaving the page. */
export function useBackCloses(open: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!open) return undefined;
    const layer = () => close();
    layers.push(layer);
    addGuard();
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, [open]);
}

function addGuard(): void {
  const state = (history.state ?? {}) as State;
  if (state.guard !== undefined) return;
  const id = Date.now();
  history.replaceState({ ...state, below: id }, '');
  history.pushState({ ...state, guard: id }, '');
  noteEntry();
}

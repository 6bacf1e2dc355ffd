import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { addLeaveGuard, type LeaveGuard } from './leave-guards.ts';
import { useStableFunctions } from '../browser/stable-functions.ts';
import { hasUnsavedInput, useUnsavedInput } from '../fields/unsaved-input.ts';
import { useEventListener } from '../browser/use-event-listener.ts';

/**
 * Blocks leaving the page while it has unsaved changes: links, shortcuts and Back by the router, closing the tab by the browser's
 * own question. `stays` returns whether the form is still shown at another URL, such as another tab of the page.
 */
export function useLeaveGuard(dirty: boolean, stays: (from: URL, to: URL) => boolean = isSamePage) {
  const released = useRef(false);
  const [go, setGo] = useState<(() => void) | null>(null);
  const guard = useEffectEvent<LeaveGuard>(({ from, to }, leave) => {
    if (released.current || stays(from, to)) return false;
    setGo(() => leave);
    return true;
  });

  useUnloadQuestion(dirty);
  useEffect(() => {
    if (!dirty) return undefined;
    released.current = false;
    return addLeaveGuard((move, leave) => guard(move, leave));
  }, [dirty]);

  const isAsking = go !== null;
  const functions = useStableFunctions({
    stay: () => setGo(null),
    leave: () => {
      released.current = true;
      // The dialog that asks must be closed before: otherwise Back would close it, and stay (ui/dialogs/back-closes.ts).
      flushSync(() => setGo(null));
      go?.();
    },
    /** Allows the next navigation without asking, for example after the thing has been deleted. */
    release: () => {
      released.current = true;
    },
  });
  /** `isAsking`: leaving the page is blocked, and the user has to choose. */
  return useMemo(() => ({ isAsking, ...functions }), [isAsking, functions]);
}

const isSamePage = (from: URL, to: URL) => to.pathname === from.pathname;

/** Lets the browser ask before it closes or reloads the page. */
export function useUnloadQuestion(dirty: boolean): void {
  useUnsavedInput(dirty);
  useEventListener(dirty ? window : null, 'beforeunload', (event) => {
    // It may have been discarded, for example because another user has signed in.
    if (hasUnsavedInput()) event.preventDefault();
  });
}

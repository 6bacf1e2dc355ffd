import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useEventListener } from './use-event-listener.ts';

/**
 * Blocks navigation while the page has unsaved changes: links, shortcuts and Back by the Navigation API, closing the tab
 * by the browser's own question. `stays` returns whether the form is still shown at another URL, such as another tab of
 * the page.
 */
export function useLeaveGuard(dirty: boolean, stays: (to: URL) => boolean = samePage) {
  const navigate = useNavigate();
  const open = useRef(false);
  const [go, setGo] = useState<(() => void) | null>(null);

  useUnloadQuestion(dirty);
  useEffect(() => {
    if (!dirty) return undefined;
    open.current = false;
    const leave = (event: NavigateEvent) => {
      const { url, key, sameDocument } = event.destination;
      const to = new URL(url);
      if (open.current || !event.cancelable || !sameDocument || stays(to)) return;
      event.preventDefault();
      const { navigationType } = event;
      setGo(() => () => {
        open.current = true;
        if (navigationType === 'traverse') navigation.traverseTo(key);
        else void navigate(to.pathname + to.search + to.hash, { replace: navigationType === 'replace' });
      });
    };
    globalThis.navigation?.addEventListener('navigate', leave);
    return () => globalThis.navigation?.removeEventListener('navigate', leave);
  }, [dirty, navigate, stays]);

  return {
    /** Navigation is blocked, and the user has to choose. */
    isAsking: go !== null,
    stay: () => setGo(null),
    leave: () => {
      setGo(null);
      go?.();
    },
    /** Allows the next navigation without asking, for example after the thing has been deleted. */
    release: () => {
      open.current = true;
    },
  };
}

const samePage = (to: URL) => to.pathname === location.pathname;

/** Lets the browser ask before it closes or reloads the page. */
export function useUnloadQuestion(dirty: boolean): void {
  useEventListener(dirty ? window : null, 'beforeunload', (event) => event.preventDefault());
}

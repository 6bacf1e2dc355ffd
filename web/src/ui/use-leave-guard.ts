import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';

/**
 * Holds whoever wants to leave the page while something on it is not saved: links, keys, the browser's own
 * back button (its Navigation API tells of all of them), and, by the browser's own question, closing the tab.
 * Where the query says what is in sight, `stays` tells whether what is not saved is in sight at another URL too.
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
    /** Somebody is held and has to choose. */
    held: go !== null,
    stay: () => setGo(null),
    leave: () => {
      setGo(null);
      go?.();
    },
    /** Opens the way without asking, for a leaving that says by itself what becomes of the page. */
    release: () => {
      open.current = true;
    },
  };
}

const samePage = (to: URL) => to.pathname === location.pathname;

/** While something is not saved, the browser asks before it closes or reloads the page. */
export function useUnloadQuestion(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [dirty]);
}

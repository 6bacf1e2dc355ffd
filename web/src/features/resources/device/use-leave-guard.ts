import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';

/**
 * Holds whoever wants to leave the page while something on it is not saved: links, keys, the browser's own
 * back button (its Navigation API tells of all of them), and, by the browser's own question, closing the tab.
 */
export function useLeaveGuard(dirty: boolean) {
  const navigate = useNavigate();
  const open = useRef(false);
  const [go, setGo] = useState<(() => void) | null>(null);

  useEffect(() => {
    if (!dirty) return undefined;
    open.current = false;
    const unload = (event: BeforeUnloadEvent) => event.preventDefault();
    const leave = (event: NavigateEvent) => {
      const { url, key, sameDocument } = event.destination;
      const to = new URL(url);
      if (open.current || !event.cancelable || !sameDocument || to.pathname === location.pathname) return;
      event.preventDefault();
      const back = event.navigationType === 'traverse';
      setGo(() => () => {
        open.current = true;
        if (back) navigation.traverseTo(key);
        else void navigate(to.pathname + to.search + to.hash);
      });
    };
    addEventListener('beforeunload', unload);
    globalThis.navigation?.addEventListener('navigate', leave);
    return () => {
      removeEventListener('beforeunload', unload);
      globalThis.navigation?.removeEventListener('navigate', leave);
    };
  }, [dirty, navigate]);

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

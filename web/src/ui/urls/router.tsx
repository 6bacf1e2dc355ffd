/**
 * react-router over the browser's own history, with a link. Its BrowserRouter and Link are not used: they bring the
 * prefetching of a framework along, 4.5 kB gzip, and BrowserRouter overwrites the state that ui/dialogs/back-closes.ts keeps in the history.
 */
import {
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { Router, createPath, useHref, useNavigate, type NavigateOptions, type Navigator, type To } from 'react-router';
import { isWithinPage, keepEntryRole, leftUrl, noteEntry, returnToLeft } from '../dialogs/back-closes.ts';
import { useEventListener } from '../browser/use-event-listener.ts';
import { isBlocked } from '../pages/leave-guards.ts';

const here = () => {
  const { pathname, search, hash } = location;
  return { pathname, search, hash, state: history.state as unknown };
};

/** Follows the history in a transition, so that the current page stays until the next one has loaded. */
export function HistoryRouter({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState(here);
  const follow = useCallback(() => {
    noteEntry();
    startTransition(() => setPlace(here()));
  }, []);
  const navigator = useMemo(() => navigatorOf(follow), [follow]);
  useEffect(noteEntry, []);
  useEventListener(window, 'popstate', () => {
    if (isWithinPage()) return;
    if (isBlocked({ from: leftUrl(), to: location.href }, () => history.back())) returnToLeft();
    else follow();
  });
  return (
    <Router location={place} navigator={navigator}>
      {children}
    </Router>
  );
}

function navigatorOf(follow: () => void): Navigator {
  const href = (to: To) => (typeof to === 'string' ? to : createPath(to));
  const write = (how: 'pushState' | 'replaceState') => (to: To, state?: unknown) => {
    const go = () => {
      history[how](how === 'replaceState' ? keepEntryRole(state) : (state ?? null), '', href(to));
      follow();
    };
    if (!isBlocked({ from: location.href, to: href(to) }, go)) go();
  };
  return {
    createHref: href,
    go: (steps) => history.go(steps),
    push: write('pushState'),
    replace: write('replaceState'),
  };
}

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'>, Pick<NavigateOptions, 'replace' | 'state'> {
  to: To;
}

/** An anchor that stays in the app; with a modifier key, another button or a target it is the browser's. */
export function Link({ to, replace = false, state, onClick, children, ...anchor }: LinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.altKey && !event.ctrlKey && !event.shiftKey;
    if (event.defaultPrevented || !plain || (anchor.target && anchor.target !== '_self')) return;
    event.preventDefault();
    const same = event.currentTarget.href === location.href;
    void navigate(to, { replace: replace || same, state: state as unknown });
  };
  return (
    <a {...anchor} href={href} onClick={follow}>
      {children}
    </a>
  );
}

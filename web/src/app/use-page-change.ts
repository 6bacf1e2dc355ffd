import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useEventListener } from '../ui/browser/use-event-listener.ts';
import { endToastSpace } from '../ui/toasts/toast-space.ts';

/** The scroll position of each page, and of each scroller in it by its first class: `/swarms virtual-list`. */
type Positions = Map<string, number>;
const maxPositions = 200;

function remember(positions: Positions, key: string, top: number) {
  positions.delete(key);
  positions.set(key, top);
  const [oldest] = positions.keys();
  if (positions.size > maxPositions && oldest !== undefined) positions.delete(oldest);
}

function restore(positions: Positions, pathname: string, main: HTMLElement | null) {
  scrollTo(0, positions.get(pathname) ?? 0);
  for (const [key, top] of positions) {
    const [path, name] = key.split(' ');
    const scroller = path === pathname && name && main?.querySelector(`.${CSS.escape(name)}`);
    if (scroller) scroller.scrollTop = top;
  }
}

/** The link to a page, if it is on the page: after Back, the one that was followed. */
function linkTo(pathname: string, main: HTMLElement): HTMLElement | undefined {
  return [...main.querySelectorAll('a')].find((link) => link.pathname === pathname && !link.closest('[inert]'));
}

/**
 * After a change of page, moves the focus to the page, unless the page has moved it already, and announces its title.
 * A new page starts at its top. Back and Forward restore the scroll position, and move the focus to the link to the page
 * that they come from. `entered`: the user has signed in just now. The list on the home page restores its own scroll position.
 */
export function usePageChange({ pathname, entered = false }: { pathname: string; entered?: boolean }) {
  const main = useRef<HTMLElement>(null);
  const [positions] = useState((): Positions => new Map());
  const shown = useRef(pathname);
  const backTo = useRef<string | null>(null);
  const [announced, setAnnounced] = useState('');

  useEventListener(
    document,
    'scroll',
    ({ target }) => {
      if (target === document) remember(positions, shown.current, globalThis.scrollY);
      else if (target instanceof HTMLElement && main.current?.contains(target)) {
        remember(positions, `${shown.current} ${target.classList[0]}`, target.scrollTop);
      }
    },
    { capture: true, passive: true },
  );
  useEventListener(window, 'popstate', () => {
    backTo.current = location.pathname;
  });

  const focusEntered = useEffectEvent(() => {
    if (entered && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  });
  useEffect(() => focusEntered(), []);

  useEffect(() => {
    const isBack = backTo.current === pathname;
    backTo.current = null;
    if (shown.current === pathname) return undefined;
    const from = shown.current;
    shown.current = pathname;
    endToastSpace();
    if (main.current && !main.current.contains(document.activeElement)) {
      const target = (isBack && linkTo(from, main.current)) || main.current;
      target.focus({ preventScroll: true });
    }
    if (isBack && pathname !== '/') restore(positions, pathname, main.current);
    else scrollTo(0, 0);
    // The page sets its title when it has loaded.
    const timer = setTimeout(() => setAnnounced(document.title), 300);
    return () => clearTimeout(timer);
  }, [positions, pathname]);

  return { main, announced };
}

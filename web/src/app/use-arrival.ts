import { useEffect, useRef, useState } from 'react';

/** Where each scroller of each page was left: `/swarms virtual-list`. */
const positions = new Map<string, number>();
const maxPositions = 200;

function remember(key: string, top: number) {
  positions.delete(key);
  positions.set(key, top);
  const [oldest] = positions.keys();
  if (positions.size > maxPositions && oldest !== undefined) positions.delete(oldest);
}

function restore(pathname: string, main: HTMLElement | null) {
  scrollTo(0, positions.get(pathname) ?? 0);
  for (const [key, top] of positions) {
    const [path, name] = key.split(' ');
    const scroller = path === pathname && name && main?.querySelector(`.${CSS.escape(name)}`);
    if (scroller) scroller.scrollTop = top;
  }
}

/**
 * After a change of page, moves the focus to the page, unless the page has moved it already, and announces its title.
 * A new page starts at its top; Back and Forward restore where it was left. The list on the home page restores itself.
 */
export function useArrival({ pathname }: { pathname: string }) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  const backTo = useRef<string | null>(null);
  const [arrived, setArrived] = useState('');

  useEffect(() => {
    const onScroll = ({ target }: Event) => {
      if (target === document) remember(shown.current, globalThis.scrollY);
      else if (target instanceof HTMLElement && main.current?.contains(target)) {
        remember(`${shown.current} ${target.classList[0]}`, target.scrollTop);
      }
    };
    const onPopState = () => {
      backTo.current = location.pathname;
    };
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    addEventListener('popstate', onPopState);
    return () => {
      document.removeEventListener('scroll', onScroll, { capture: true });
      removeEventListener('popstate', onPopState);
    };
  }, []);

  useEffect(() => {
    const isBack = backTo.current === pathname;
    backTo.current = null;
    if (shown.current === pathname) return undefined;
    shown.current = pathname;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    if (isBack && pathname !== '/') restore(pathname, main.current);
    else scrollTo(0, 0);
    // the page sets its title when it has loaded
    const timer = setTimeout(() => setArrived(document.title), 300);
    return () => clearTimeout(timer);
  }, [pathname]);

  return { main, arrived };
}

import { useEffect, useRef, useState } from 'react';

/**
 * After a change of page the focus goes to the page, unless the page has taken it somewhere itself, and its title is
 * said aloud. The first page keeps the browser's own behaviour.
 */
export function useArrival({ pathname }: { pathname: string }) {
  const main = useRef<HTMLElement>(null);
  const before = useRef(pathname);
  const [arrived, setArrived] = useState('');

  useEffect(() => {
    if (before.current === pathname) return undefined;
    before.current = pathname;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
    // the page names itself once it has come
    const timer = setTimeout(() => setArrived(document.title), 300);
    return () => clearTimeout(timer);
  }, [pathname]);

  return { main, arrived };
}

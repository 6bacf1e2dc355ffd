import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { loading } from './lazy.tsx';

/** In ms. Longer than between two requests of a page that is starting. */
const quietFor = 300;
/** In ms. A request that hangs must not hold up the rest forever. */
const longestWait = 10_000;

/**
 * True once no data has been requested for a moment and no code is loading: time to load what the first view of the page does not need. Renders
 * once, not at each request as with `useIsFetching`.
 */
export function useIsSettled(): boolean {
  const client = useQueryClient();
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    if (isSettled) return undefined;
    const settle = () => setIsSettled(true);
    let quiet: ReturnType<typeof setTimeout> | undefined;
    function check() {
      if (client.isFetching() === 0) {
        quiet ??= setTimeout(settleIfLoaded, quietFor);
        return;
      }
      clearTimeout(quiet);
      quiet = undefined;
    }
    /** The code of the map may load for longer than the list. */
    function settleIfLoaded() {
      quiet = undefined;
      if (loading.parts === 0) settle();
      else check();
    }
    check();
    const unsubscribe = client.getQueryCache().subscribe(check);
    const longest = setTimeout(settle, longestWait);
    return () => {
      unsubscribe();
      clearTimeout(quiet);
      clearTimeout(longest);
    };
  }, [client, isSettled]);
  return isSettled;
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { loading } from './lazy.tsx';

/** In ms. Longer than between two requests of a page that is starting. */
const quietFor = 300;
/** In ms. A page that never has nothing to do, such as one that is always drawn anew, must not hold up the rest either. */
const busyFor = 2000;
/** In ms. A request that hangs must not hold up the rest forever. */
const longestWait = 10_000;

/**
 * True once no data has been requested for a moment, no code is loading, and what has arrived is shown: time to load what
 * the first view of the page does not need. Renders once, not at each request as with `useIsFetching`.
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
        quiet ??= setTimeout(() => whenIdle(settleIfLoaded), quietFor);
        return;
      }
      clearTimeout(quiet);
      quiet = undefined;
    }
    /** The code of the map may load for longer than the list. */
    function settleIfLoaded() {
      // a request has begun, or the page is left
      if (quiet === undefined) return;
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
      quiet = undefined;
      clearTimeout(longest);
    };
  }, [client, isSettled]);
  return isSettled;
}

/** On a slow device, the list and the map may render for longer than a moment. Safari cannot tell. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: busyFor });
  else act();
}

import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** In ms. Longer than between two requests of a page that is starting. */
const quietFor = 300;
/** In ms. A request that hangs must not hold up the rest forever. */
const longestWait = 10_000;

/** True once no data has been requested for a moment: time to load what the first view of the page does not need. */
export function useIsSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  const isFetching = useIsFetching() > 0;
  useEffect(() => {
    if (isFetching || isSettled) return undefined;
    const timer = setTimeout(() => setIsSettled(true), quietFor);
    return () => clearTimeout(timer);
  }, [isFetching, isSettled]);
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), longestWait);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}

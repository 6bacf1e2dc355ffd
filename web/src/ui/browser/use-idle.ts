import { useEffect, useState } from 'react';

const uses = ['pointermove', 'pointerdown', 'keydown', 'wheel'];

/** True after this many ms without input. Null: input does not matter. */
export function useIdle(ms: number | null): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    if (ms === null) return undefined;
    const stop = new AbortController();
    let timer = 0;
    const wait = () => {
      clearTimeout(timer);
      setIdle(false);
      timer = window.setTimeout(() => setIdle(true), ms);
    };
    wait();
    for (const use of uses) addEventListener(use, wait, { passive: true, signal: stop.signal });
    return () => {
      stop.abort();
      clearTimeout(timer);
      setIdle(false);
    };
  }, [ms]);
  return isIdle;
}

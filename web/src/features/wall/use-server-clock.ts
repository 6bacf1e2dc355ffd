import { useEffect, useState } from 'react';
import { serverNow } from '../../api/server-clock.ts';

/** The server's clock, updated in this interval while the page is visible; null stops it. */
export function useServerClock(everyMs: number | null = 1000): number {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    if (everyMs === null) return undefined;
    const tick = () => {
      if (document.visibilityState === 'visible') setNow(serverNow());
    };
    tick();
    const timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [everyMs]);
  return now;
}

import { useEffect, useState } from 'react';
import { serverNow } from '../../api/server-clock.ts';

/** The server's clock, counted every so often while the page is seen. */
export function useServerClock(everyMs = 1000): number {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    const tick = () => {
      if (document.visibilityState === 'visible') setNow(serverNow());
    };
    const timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [everyMs]);
  return now;
}

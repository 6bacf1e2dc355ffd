import type { Position } from '@swarmdeck/bff/contract';
import { useEffect, useState } from 'react';

const TIMEOUT = 10_000;
const NOTICE = 5_000;

/** Asks the browser where it is. A refusal is said for a while. */
export function useLocate(onLocated: (position: Position) => void): { locate: () => void; failed: boolean } {
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const timer = failed ? setTimeout(() => setFailed(false), NOTICE) : undefined;
    return () => clearTimeout(timer);
  }, [failed]);

  return {
    failed,
    locate: () =>
      navigator.geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude } }) => onLocated({ latitude, longitude }),
        () => setFailed(true),
        { timeout: TIMEOUT },
      ),
  };
}

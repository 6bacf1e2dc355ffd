import { useEffect, useEffectEvent, useRef } from 'react';
import { useUnreachable } from '../unreachable.ts';

/** In ms. */
const resendAfter = 3000;

/**
 * Repeats a failed save: as soon as the server can be reached again, or after some seconds if only the save has not
 * reached it. `unsent` is another number for each failed save, and null if there is none.
 */
export function useResend(unsent: number | null, resend: () => void): void {
  const away = useUnreachable() !== null;
  const wasAway = useRef(false);
  const run = useEffectEvent(resend);
  useEffect(() => {
    const delay = wasAway.current ? 0 : resendAfter;
    wasAway.current = away;
    if (unsent === null || away) return undefined;
    const timer = setTimeout(() => run(), delay);
    return () => clearTimeout(timer);
  }, [unsent, away]);
}

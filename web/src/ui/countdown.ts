import { useEffect, useEffectEvent, useState } from 'react';
import { useHoverOrFocus } from './use-hover-or-focus.ts';

/**
 * Counts down, except while the element with the `hold` handlers is hovered or has the focus. With `seconds` null it
 * never ends.
 */
export function useCountdown({ seconds, onEnd }: { seconds: number | null; onEnd(): void }) {
  const [left, setLeft] = useState(seconds ?? 0);
  const { active: isPaused, handlers } = useHoverOrFocus();
  const end = useEffectEvent(onEnd);

  useEffect(() => {
    if (isPaused || seconds === null) return undefined;
    const timer = setInterval(() => setLeft((value) => value - 1), 1000);
    return () => clearInterval(timer);
  }, [isPaused, seconds]);

  const done = seconds !== null && left <= 0;
  useEffect(() => {
    if (done) end();
  }, [done]);

  return {
    left,
    hold: handlers,
  };
}

import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Counts down while nobody is at it: the time stands still under pointer or focus. Spread `hold` on the element.
 * `seconds` null waits for ever.
 */
export function useCountdown({ seconds, onEnd }: { seconds: number | null; onEnd(): void }) {
  const [left, setLeft] = useState(seconds ?? 0);
  const [held, setHeld] = useState(false);
  const end = useEffectEvent(onEnd);

  useEffect(() => {
    if (held || seconds === null) return undefined;
    const timer = setInterval(() => setLeft((value) => value - 1), 1000);
    return () => clearInterval(timer);
  }, [held, seconds]);

  const done = seconds !== null && left <= 0;
  useEffect(() => {
    if (done) end();
  }, [done]);

  return {
    left,
    hold: {
      onPointerEnter: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
      onFocus: () => setHeld(true),
      onBlur: () => setHeld(false),
    },
  };
}

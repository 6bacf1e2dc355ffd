import { useEffect, useState } from 'react';

const after = 8000;

/** True after some time without input, to hide the pointer. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let timer = 0;
    const wait = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => setIdle(true), after);
    };
    const wake = () => {
      setIdle(false);
      wait();
    };
    wait();
    const events = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const;
    for (const event of events) addEventListener(event, wake, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of events) removeEventListener(event, wake);
    };
  }, []);
  return idle;
}

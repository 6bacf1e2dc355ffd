import { useEffect } from 'react';

/** Keeps the screen on if the browser supports it. The browser releases the lock while the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined;
    let current: WakeLockSentinel | undefined;
    let left = false;
    const take = async () => {
      if (document.visibilityState !== 'visible' || (current && !current.released)) return;
      // Refused by a permissions policy or to save power: the screen may then turn off.
      const lock = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (left) void lock?.release();
      else current = lock;
    };
    const seen = () => void take();
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => {
      left = true;
      document.removeEventListener('visibilitychange', seen);
      void current?.release();
    };
  }, []);
}

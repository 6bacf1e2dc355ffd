import { useSyncExternalStore } from 'react';
import { subscribeTo } from '../../data/listeners.ts';

const subscribe = subscribeTo(document, 'fullscreenchange');

/** Whether the page is in full screen, and how to toggle it; null if the browser does not allow it. */
export function useFullScreen(): { on: boolean; toggle(): void } | null {
  const on = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  const toggle = () => {
    const change = document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen({ navigationUI: 'hide' });
    // A permissions policy may forbid it.
    change.catch(() => undefined);
  };
  return document.fullscreenEnabled ? { on, toggle } : null;
}

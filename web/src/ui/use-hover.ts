import { useState, useSyncExternalStore } from 'react';
import { createListeners } from '../data/listeners.ts';
import { shareHook } from './share-hook.tsx';

/** The device under the pointer, in the list or on the map. It is no state of the page: only its row and the map render. */
function createHover() {
  const { subscribe, notify } = createListeners();
  let hovered: string | null = null;
  return {
    subscribe,
    get: () => hovered,
    set(id: string | null) {
      if (id === hovered) return;
      hovered = id;
      notify();
    },
  };
}

export const [HoverProvider, useHover] = shareHook(function useHoverState() {
  return useState(createHover)[0];
});

export function useHoveredId(): string | null {
  const { subscribe, get } = useHover();
  return useSyncExternalStore(subscribe, get);
}

export function useIsHovered(id: string): boolean {
  const { subscribe, get } = useHover();
  return useSyncExternalStore(subscribe, () => get() === id);
}

import { useState, useSyncExternalStore } from 'react';
import { createListeners } from '../../data/listeners.ts';

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

type Hover = ReturnType<typeof createHover>;

export function useHoverState(): Hover {
  return useState(createHover)[0];
}

export function useHoveredId({ subscribe, get }: Hover): string | null {
  return useSyncExternalStore(subscribe, get);
}

export function useIsHovered({ subscribe, get }: Hover, id: string): boolean {
  return useSyncExternalStore(subscribe, () => get() === id);
}

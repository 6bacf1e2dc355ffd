import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useState } from 'react';

/** In ms. */
const hintFor = 1500;

/**
 * One finger scrolls the page, and two move the map. Returns whether to say so: one finger has just been moved over the
 * map.
 */
export function useTwoFingers({ map, enabled }: { map: LeafletMap | null; enabled: boolean }): boolean {
  const [isSwiped, setSwiped] = useState(false);
  useEffect(() => {
    if (!map || !enabled) return undefined;
    map.dragging.disable();
    let timer = 0;
    const swipe = ({ touches, target }: TouchEvent) => {
      // One finger drags the marker.
      if (target instanceof Element && target.closest('.leaflet-marker-draggable')) return;
      setSwiped(touches.length === 1);
      clearTimeout(timer);
      timer = window.setTimeout(() => setSwiped(false), hintFor);
    };
    const container = map.getContainer();
    container.addEventListener('touchmove', swipe, { passive: true });
    return () => {
      map.dragging.enable();
      clearTimeout(timer);
      setSwiped(false);
      container.removeEventListener('touchmove', swipe);
    };
  }, [map, enabled]);
  return isSwiped;
}

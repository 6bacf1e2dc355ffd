import { Keyboard } from 'leaflet/src/map/handler/Map.Keyboard.js';
import { TouchZoom } from 'leaflet/src/map/handler/Map.TouchZoom.js';
import { useEffect } from 'react';
import { useMap } from 'react-leaflet';

/** Keys and two fingers on a map: Leaflet's own, which are not among what a map begins with (vite.config.ts). */
export function LateHandlers() {
  const map = useMap();
  useEffect(() => {
    // they add themselves to the maps that are made once they are loaded
    if (!map.touchZoom) map.addHandler('touchZoom', TouchZoom);
    if (map.keyboard) return;
    map.addHandler('keyboard', Keyboard);
    // keys are heard from the focus on, which may have been there before
    const container = map.getContainer();
    if (container === document.activeElement) container.dispatchEvent(new FocusEvent('focus'));
  }, [map]);
  return null;
}

import { Keyboard } from 'leaflet/src/map/handler/Map.Keyboard.js';
import { TouchZoom } from 'leaflet/src/map/handler/Map.TouchZoom.js';
import { useEffect } from 'react';
import { useMap } from 'react-leaflet';

/** Leaflet's keyboard and pinch handlers, which are not in its first chunk (vite.config.ts). */
export function LateHandlers() {
  const map = useMap();
  useEffect(() => {
    // Handlers register themselves only with maps that are created later.
    if (!map.touchZoom) map.addHandler('touchZoom', TouchZoom);
    if (map.keyboard) return;
    map.addHandler('keyboard', Keyboard);
    // The keyboard handler listens from the focus event on, which may have happened already.
    const container = map.getContainer();
    if (container === document.activeElement) container.dispatchEvent(new FocusEvent('focus'));
  }, [map]);
  return null;
}

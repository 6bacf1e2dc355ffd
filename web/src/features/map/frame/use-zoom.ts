import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useState } from 'react';
import { prefersReducedMotion } from '../../../ui/media.ts';
import { freeOffset } from '../geometry/insets.ts';
import type { Insets } from '../geometry/insets.ts';
import { useLeafletEvents } from './use-leaflet-events.ts';

type Step = 1 | -1;

/**
 * Changes the zoom around the centre of the free part, by buttons and by + and - on the map. From a fractional zoom it
 * goes to the next whole one, which is the sharpest.
 */
export function useZoom({ map, insets }: { map: LeafletMap; insets: Insets }) {
  const { x, y } = freeOffset(insets);
  // The values are read from Leaflet during rendering; this state only triggers a render.
  const [, setShown] = useState('');
  const show = () => setShown([map.getZoom(), map.getMinZoom()].join());
  useLeafletEvents(map, { zoomend: show, zoomlevelschange: show });

  useEffect(() => {
    const container = map.getContainer();
    const press = (event: KeyboardEvent) => {
      const step = stepOf(event.key);
      if (step === null || event.target !== container || event.ctrlKey || event.metaKey) return;
      // Leaflet's own keys would zoom around the centre of the whole map.
      event.stopPropagation();
      zoomBy({ map, step, x, y });
    };
    container.addEventListener('keydown', press);
    return () => container.removeEventListener('keydown', press);
  }, [map, x, y]);

  return {
    zoomBy: (step: Step) => zoomBy({ map, step, x, y }),
    isNearest: map.getZoom() >= map.getMaxZoom(),
    isFurthest: map.getZoom() <= map.getMinZoom(),
  };
}

function stepOf(key: string): Step | null {
  if (key === '+' || key === '=') return 1;
  return key === '-' || key === '_' ? -1 : null;
}

function zoomBy({ map, step, x, y }: { map: LeafletMap; step: Step; x: number; y: number }): void {
  const zoom = map.getZoom();
  const next = step > 0 ? Math.floor(zoom) + 1 : Math.ceil(zoom) - 1;
  const within = Math.min(map.getMaxZoom(), Math.max(map.getMinZoom(), next));
  map.setZoomAround(map.getSize().divideBy(2).add([x, y]), within, { animate: !prefersReducedMotion() });
}

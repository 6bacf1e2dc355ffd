import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useRef } from 'react';
import { freeSize } from '../geometry/insets.ts';
import type { Insets } from '../geometry/insets.ts';
import { EDGE_LATITUDE } from '../geometry/mercator.ts';
import { leastZoom } from '../geometry/view.ts';
import type { Bbox, View } from '../geometry/view.ts';
import { currentView } from './free-view.ts';
import { useLeafletEvents } from './use-leaflet-events.ts';

/** The view is reported when the map has not moved for this long, in ms. */
const SETTLE_MS = 150;

/** Keeps a map within the world, and reports its view when it has settled. */
export function useViewSettled({
  map,
  insets,
  onView,
}: {
  map: LeafletMap | null;
  insets: Insets;
  onView?: (view: View & { bbox: Bbox }) => void;
}): void {
  const { top, right, bottom, left } = insets;
  const waiting = useRef(0);

  function tellSoon(): void {
    clearTimeout(waiting.current);
    waiting.current = window.setTimeout(() => map && onView?.(currentView({ map, insets })), SETTLE_MS);
  }

  const coverChanged = useEffectEvent(tellSoon);
  useEffect(() => {
    map?.setMinZoom(leastZoom(freeSize({ size: map.getSize(), insets: { top, right, bottom, left } })));
    coverChanged();
    return () => clearTimeout(waiting.current);
  }, [map, top, right, bottom, left]);

  useLeafletEvents(map, {
    moveend: tellSoon,
    resize: () => map?.setMinZoom(leastZoom(freeSize({ size: map.getSize(), insets }))),
    dragend: () => {
      const { lat = 0, lng = 0 } = map?.getCenter() ?? {};
      if (Math.abs(lat) > EDGE_LATITUDE) map?.panTo([Math.sign(lat) * EDGE_LATITUDE, lng]);
    },
  });
}

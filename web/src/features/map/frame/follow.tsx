import { useMap } from 'react-leaflet';
import type { Position } from '@swarmdeck/bff/contract';
import type { Map as LeafletMap } from 'leaflet';
import { useEffect } from 'react';
import { useEventListener } from '../../../ui/use-event-listener.ts';
import { freeBox, freeOffset, shifted, type Insets } from '../geometry/view.ts';
import { longitudeNear } from '../geometry/mercator.ts';
import { isInMiddle } from '../geometry/boxes.ts';
import { useLeafletEvents } from './map-events.ts';

const GLIDE = 0.6;

/**
 * Keeps a position in the middle half of the free part of the map. The map is centred only when the position leaves that
 * part, so that the map rests most of the time. `onEnd` is called when the user moves the map. Lazily loaded.
 */
export function Follow({ insets, position, onEnd }: { insets: Insets; position: Position; onEnd: () => void }) {
  const map = useMap();
  const { top, right, bottom, left } = insets;
  const { latitude, longitude } = position;
  useEffect(
    () => keepInMiddle({ map, insets: { top, right, bottom, left }, position: { latitude, longitude } }),
    [map, latitude, longitude, top, right, bottom, left],
  );
  useEventListener(map.getContainer(), 'keydown', ({ key }) => {
    if (key.startsWith('Arrow')) onEnd();
  });
  useLeafletEvents(map, { dragstart: onEnd, zoomend: () => keepInMiddle({ map, insets, position }) });
  return null;
}

function keepInMiddle({ map, insets, position }: { map: LeafletMap; insets: Insets; position: Position }): void {
  const lat = position.latitude;
  const lng = longitudeNear(position.longitude, map.getCenter().lng);
  const at = map.latLngToContainerPoint([lat, lng]);
  if (isInMiddle({ at, box: freeBox({ size: map.getSize(), insets }) })) return;
  const centre = shifted({ lat, lng, zoom: map.getZoom() }, freeOffset(insets));
  map.panTo([centre.lat, centre.lng], { duration: GLIDE });
}

import { useMap } from 'react-leaflet';
import type { Position } from '@swarmdeck/bff/contract';
import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent } from 'react';
import { useEventListener } from '../../../ui/browser/use-event-listener.ts';
import { useDeviceMap } from '../device-map-context.ts';
import { coveredBoxes } from '../canvas/obstacles.ts';
import { freeBox, type Insets } from '../geometry/view.ts';
import { longitudeNear } from '../geometry/mercator.ts';
import { freeParts, type Rect } from '../geometry/boxes.ts';
import { isInMiddle } from '../geometry/uncover.ts';
import { useLeafletEvents } from './map-events.ts';

const GLIDE = 0.6;

/**
 * Keeps a position in the middle half of the largest part of the map that no panel or card covers. The map is centred
 * only when the position leaves that half, so that it rests most of the time. `onEnd` is called when the user moves the
 * map, also by a button. A part of a map of devices.
 */
export function Follow({ position, onEnd }: { position: Position; onEnd: () => void }) {
  const map = useMap();
  const { insets, onMoved } = useDeviceMap();
  const moved = useEffectEvent(onEnd);
  useEffect(() => onMoved(() => moved()), [onMoved]);
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
  const lng = longitudeNear(position.longitude, map.getCenter().lng);
  const at = map.latLngToContainerPoint([position.latitude, lng]);
  const view = freeBox({ size: map.getSize(), insets });
  const box = largestPart({ view, boxes: coveredBoxes(map.getContainer(), 'panels') });
  if (isInMiddle({ at, box })) return;
  map.panBy(at.subtract([(box.left + box.right) / 2, (box.top + box.bottom) / 2]), { duration: GLIDE });
}

/** The largest part of a view that no box covers. */
export function largestPart({ view, boxes }: { view: Rect; boxes: readonly Rect[] }): Rect {
  const areaOf = ({ left, top, right, bottom }: Rect) => (right - left) * (bottom - top);
  return freeParts({ view, boxes }).toSorted((a, b) => areaOf(b) - areaOf(a))[0] ?? view;
}

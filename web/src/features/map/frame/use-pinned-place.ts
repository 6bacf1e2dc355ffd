import type { Position } from '@swarmdeck/bff/contract';
import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useRef } from 'react';
import { longitudeNear } from '../geometry/mercator.ts';
import { positionAt, type View } from '../geometry/view.ts';

interface PinnedPlaceOptions {
  map: LeafletMap | null;
  /** A place is being chosen under a pin, in the centre of the map. */
  enabled: boolean;
  position: Position | null;
  onChange(position: Position): void;
}

/**
 * The place under the pin is the position when the user has moved the map. Without a position, none is written before: not when a
 * phone is turned, and not by zooming, which keeps what is under the pin.
 */
export function usePinnedPlace({ map, enabled, position, onChange }: PinnedPlaceOptions) {
  const unchosen = useRef<Position | null>(null);
  const isUnchosen = enabled && position === null;
  useEffect(() => {
    unchosen.current = map && isUnchosen ? positionAt(map.getCenter()) : null;
  }, [map, isUnchosen]);
  useEffect(() => (map && enabled ? zoomAtCentre(map) : undefined), [map, enabled]);
  return {
    /** The map has settled at this view. */
    settle(view: View): void {
      if (enabled && map && !isAtCentre(map, position ?? unchosen.current)) onChange(positionAt(view));
    },
    /** The user has chosen where the map goes, also if it is there already. */
    choose(): void {
      unchosen.current = null;
    },
  };
}

function zoomAtCentre(map: LeafletMap): () => void {
  const { touchZoom, scrollWheelZoom, doubleClickZoom } = map.options;
  Object.assign(map.options, { touchZoom: 'center', scrollWheelZoom: 'center', doubleClickZoom: 'center' });
  return () => void Object.assign(map.options, { touchZoom, scrollWheelZoom, doubleClickZoom });
}

/** To one pixel. */
function isAtCentre(map: LeafletMap, position: Position | null): boolean {
  if (!position) return false;
  const lng = longitudeNear(position.longitude, map.getCenter().lng);
  return map.latLngToContainerPoint([position.latitude, lng]).distanceTo(map.getSize().divideBy(2)) <= 1;
}

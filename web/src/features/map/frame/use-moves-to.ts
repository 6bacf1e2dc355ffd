import type { Position } from '@swarmdeck/bff/contract';
import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useRef } from 'react';
import { longitudeNear } from '../geometry/mercator.ts';
import { POINT_ZOOM, type View } from '../geometry/view.ts';
import { flyToView } from './free-view.ts';

/** The map of a place is not covered. */
export const open = { top: 0, right: 0, bottom: 0, left: 0 };

export function viewNear({ latitude, longitude }: Position, zoom: number): View {
  return { lat: latitude, lng: longitude, zoom };
}

interface MovesToOptions {
  map: LeafletMap | null;
  place: View | null;
  position: Position | null;
  /** An older point of the track is chosen, which a new position must not move out of the view. */
  keepsView: boolean;
}

/** Moves the map to a place that is found, and to a new position out of view, such as a typed one. */
export function useMovesTo({ map, place, position, keepsView }: MovesToOptions) {
  useEffect(() => {
    if (!map || !place) return;
    flyToView({ map, insets: open, view: place });
    map.getContainer().focus({ preventScroll: true });
  }, [map, place]);
  const shown = useRef(position);
  useEffect(() => {
    if (map === null || position === null || position === shown.current) return;
    shown.current = position;
    const lng = longitudeNear(position.longitude, map.getCenter().lng);
    if (keepsView || map.getBounds().contains([position.latitude, lng])) return;
    flyToView({ map, insets: open, view: viewNear(position, Math.max(POINT_ZOOM, map.getZoom())) });
  }, [map, position, keepsView]);
}

import type { MapFeature, Position } from '@swarmdeck/bff/contract';
import type { Map as LeafletMap } from 'leaflet';
import type { Insets } from '../geometry/insets.ts';
import { isOneSpot, MAX_ZOOM } from '../geometry/view.ts';
import type { Bbox, View } from '../geometry/view.ts';
import { besideControls, flyToView, viewAround } from './free-view.ts';

/** The zoom for a single device. */
const NEAR = 12;

type Cluster = Pick<MapFeature, 'geometry'> & { properties: { bbox: Bbox } };

/** The actions that move the map. Each calls `leave` first. */
export function createMapNavigation({
  map,
  insets,
  bounds,
  leave,
}: {
  map: LeafletMap | null;
  insets: Insets;
  /** The bounds of all devices. */
  bounds: Bbox | null;
  leave: () => void;
}) {
  const show = (view: View) => map && flyToView({ map, insets, view });
  return {
    fit() {
      leave();
      if (!map || !bounds) return;
      const beside = besideControls({ map, insets, bbox: bounds });
      flyToView({ map, insets: beside, view: viewAround({ map, insets: beside, bbox: bounds }) });
    },
    flyTo({ latitude: lat, longitude: lng }: Position, zoom?: number) {
      if (map) show({ lat, lng, zoom: zoom ?? Math.max(NEAR, map.getZoom()) });
    },
    /** Zooms in until the cluster separates. Returns false if no zoom separates it. */
    into({ geometry, properties: { bbox } }: Cluster): boolean {
      leave();
      const zoom = map?.getZoom() ?? 0;
      if (map === null || isOneSpot(bbox) || zoom >= MAX_ZOOM) return false;
      const [lng, lat] = geometry.coordinates;
      const inside = viewAround({ map, insets, bbox });
      show(inside.zoom > zoom ? inside : { lat, lng, zoom: Math.min(MAX_ZOOM, zoom + 1) });
      return true;
    },
  };
}

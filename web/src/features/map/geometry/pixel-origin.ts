import { DomUtil } from 'leaflet';
import type { LatLng, Map as LeafletMap, Point } from 'leaflet';

/** The map's pixel origin after an animation has ended. */
export function pixelOriginAt({ map, center, zoom }: { map: LeafletMap; center: LatLng; zoom: number }): Point {
  const pane = map.getPane('mapPane');
  const moved = map.project(center, zoom).subtract(map.getSize().divideBy(2));
  return (pane ? moved.add(DomUtil.getPosition(pane)) : moved).round();
}

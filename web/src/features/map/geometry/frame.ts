import { DomUtil, type LatLng, type Map as LeafletMap, type Point } from 'leaflet';
import { worldSize } from './mercator.ts';
import type { Frame } from './trace.ts';

/** The frame that a map shows now, including the offset of its pane. */
export function frameOf(map: LeafletMap): Frame {
  const { x: width, y: height } = map.getSize();
  const { x: left, y: top } = map.getPixelBounds().getTopLeft();
  return { scale: worldSize(map.getZoom()), left, top, width, height };
}

/** How far requests and canvases extend beyond the view on each side, as a fraction of the view. */
export const PADDING = 0.25;

export function padded({ scale, left, top, width, height }: Frame): Frame {
  const [x, y] = [width * PADDING, height * PADDING];
  return { scale, left: left - x, top: top - y, width: width + 2 * x, height: height + 2 * y };
}

/** The map's pixel origin after an animation has ended. */
export function pixelOriginAt({ map, center, zoom }: { map: LeafletMap; center: LatLng; zoom: number }): Point {
  const pane = map.getPane('mapPane');
  const moved = map.project(center, zoom).subtract(map.getSize().divideBy(2));
  return (pane ? moved.add(DomUtil.getPosition(pane)) : moved).round();
}

import type { Map as LeafletMap } from 'leaflet';
import { worldSize } from './mercator.ts';
import type { Frame } from './trace.ts';

/** The frame that a map shows now, including the offset of its pane. */
export function frameOf(map: LeafletMap): Frame {
  const { x: width, y: height } = map.getSize();
  const { x: left, y: top } = map.getPixelBounds().getTopLeft();
  return { scale: worldSize(map.getZoom()), left, top, width, height };
}

import type { Map as LeafletMap } from 'leaflet';
import type { Box, Spot } from '../geometry/boxes.ts';
import type { Frame } from '../geometry/trace.ts';

/** What no name of the map may be written under, in px from the corner of a frame. */
export interface Obstacles {
  frame: Pick<Frame, 'scale' | 'left' | 'top'>;
  spots: readonly Spot[];
  boxes: readonly Box[];
}

const told = new WeakMap<LeafletMap, Obstacles>();

/** Said by whoever draws symbols on a map, each time they stand elsewhere: the map has an event `obstacles` then. */
export function tellObstacles(map: LeafletMap, obstacles: Obstacles): void {
  told.set(map, obstacles);
  map.fire('obstacles');
}

export function obstaclesOn(map: LeafletMap): Obstacles | undefined {
  return told.get(map);
}

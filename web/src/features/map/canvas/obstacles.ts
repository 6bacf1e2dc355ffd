import type { Map as LeafletMap } from 'leaflet';
import type { Box, Spot } from '../geometry/boxes.ts';
import type { Frame } from '../geometry/trace.ts';

/** The boxes and symbols that names must not cover, in px from the corner of a frame. */
export interface Obstacles {
  frame: Pick<Frame, 'scale' | 'left' | 'top'>;
  spots: readonly Spot[];
  boxes: readonly Box[];
}

const latest = new WeakMap<LeafletMap, Obstacles>();

/** Called by the symbol layer after each change. Fires the map's event `obstacles`. */
export function publishObstacles(map: LeafletMap, obstacles: Obstacles): void {
  latest.set(map, obstacles);
  map.fire('obstacles');
}

export function obstaclesOn(map: LeafletMap): Obstacles | undefined {
  return latest.get(map);
}

import type { Map as LeafletMap } from 'leaflet';
import type { Box, Spot } from './boxes.ts';
import type { Frame } from './trace.ts';

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

/** The same in another frame, perhaps of another zoom: symbols do not grow with the map. */
export function obstaclesIn({ obstacles, frame }: { obstacles: Obstacles; frame: Frame }): {
  spots: Spot[];
  boxes: Box[];
} {
  const { frame: own } = obstacles;
  const grown = frame.scale / own.scale;
  const x = (value: number) => (value + own.left) * grown - frame.left;
  const y = (value: number) => (value + own.top) * grown - frame.top;
  return {
    spots: obstacles.spots.map((spot) => ({ x: x(spot.x), y: y(spot.y), radius: spot.radius })),
    boxes: obstacles.boxes.map(({ left, top, right, bottom }) => {
      const at = { left: x(left), top: y(top) };
      return { ...at, right: at.left + right - left, bottom: at.top + bottom - top };
    }),
  };
}

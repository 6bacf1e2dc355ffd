import type { Box, Spot } from '../geometry/boxes.ts';
import type { Frame } from '../geometry/trace.ts';
import type { Obstacles } from './obstacles.ts';

/** Converts obstacles to another frame, also of another zoom: symbols do not scale with the map. */
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

import type { MemberRole } from '@swarmdeck/bff/contract';
import type { MapColours } from '../canvas/map-colours.ts';

const DISC = 7;
/** The distance from the centre of a symbol to its upper end corner. */
const CORNER = 11;

/** ▲ producer, ▼ consumer, ◆ both: different shapes in a box of 14 around the centre. */
const shapes: Record<MemberRole, readonly (readonly [number, number])[]> = {
  producer: [
    [0, -3.6],
    [3.9, 3],
    [-3.9, 3],
  ],
  consumer: [
    [0, 3.6],
    [3.9, -3],
    [-3.9, -3],
  ],
  both: [
    [0, -4.4],
    [4.4, 0],
    [0, 4.4],
    [-4.4, 0],
  ],
};

/** Draws the role of a device in the map's swarm, beside its symbol. */
export function drawRole({
  context,
  colours,
  role,
  x,
  y,
  rightToLeft,
}: {
  context: CanvasRenderingContext2D;
  colours: MapColours;
  role: MemberRole;
  x: number;
  y: number;
  rightToLeft: boolean;
}): void {
  const [left, top] = [x + (rightToLeft ? -CORNER : CORNER), y - CORNER];
  context.fillStyle = colours.panel;
  context.beginPath();
  context.arc(left, top, DISC, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = colours.fg;
  context.beginPath();
  for (const [right, down] of shapes[role]) context.lineTo(left + right, top + down);
  context.fill();
}

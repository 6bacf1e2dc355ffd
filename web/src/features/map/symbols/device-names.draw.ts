import { fitText } from '../../../ui/fit-text.ts';
import { isolate } from '../../../ui/fit-text.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import { overlaps, within } from '../geometry/boxes.ts';
import type { Box, Spot } from '../geometry/boxes.ts';
import { Occupied } from '../geometry/occupied.ts';
import type { Frame } from '../geometry/trace.ts';
import type { Placed } from './scene.ts';

const HEIGHT = 18;
const WIDEST = 180;
const HALO = 3;
const DISTANCE = 4;
/** The minimum width of the world for names of single devices: zoom 9. */
const LEAST_SCALE = 256 * 2 ** 9;

/** Draws the names of single devices beside them, where there is space. Returns their boxes. */
export function drawDeviceNames({
  context,
  placed,
  spots,
  boxes,
  colours,
  frame,
  view,
  rightToLeft,
}: {
  context: CanvasRenderingContext2D;
  placed: readonly Placed[];
  /** Symbols and labels that must not be covered. */
  spots: readonly Spot[];
  boxes: readonly Box[];
  colours: MapColours;
  frame: Pick<Frame, 'scale' | 'width' | 'height'>;
  /** The uncovered part of the view. A name must be entirely inside it, or entirely outside. */
  view: Box;
  rightToLeft: boolean;
}): Box[] {
  if (frame.scale < LEAST_SCALE) return [];
  const occupied = new Occupied();
  for (const spot of spots) occupied.addSpot(spot);
  for (const box of boxes) occupied.addBox(box);
  context.font = `600 12.5px ${colours.font}`;
  context.direction = rightToLeft ? 'rtl' : 'ltr';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = HALO;
  context.strokeStyle = colours.halo;
  context.fillStyle = colours.fg;
  const measure = (part: string) => context.measureText(isolate(part)).width;
  const whole = { left: 0, top: 0, right: frame.width, bottom: frame.height };
  const written: Box[] = [];
  for (const { feature, x, y, radius } of placed) {
    const { properties } = feature;
    if (properties.cluster) continue;
    const text = fitText({ text: properties.name, width: WIDEST, measure });
    const box = boxesBeside({ x, y, radius, width: measure(text), rightToLeft }).find(
      (each) => (overlaps(each, view) ? within(each, view) : overlaps(each, whole)) && occupied.isFree(each),
    );
    if (!box) continue;
    occupied.addBox(box);
    written.push(box);
    const middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2] as const;
    context.strokeText(isolate(text), ...middle);
    context.fillText(isolate(text), ...middle);
  }
  return written;
}

/** In order: after the symbol in reading direction, before it, below, above. */
function boxesBeside({ x, y, radius, width, rightToLeft }: Spot & { width: number; rightToLeft: boolean }): Box[] {
  const [half, reach] = [HEIGHT / 2, radius + DISTANCE];
  const right = { left: x + reach, top: y - half, right: x + reach + width, bottom: y + half };
  const left = { left: x - reach - width, top: y - half, right: x - reach, bottom: y + half };
  const middle = { left: x - width / 2, right: x + width / 2 };
  const below = { ...middle, top: y + reach, bottom: y + reach + HEIGHT };
  const above = { ...middle, top: y - reach - HEIGHT, bottom: y - reach };
  return rightToLeft ? [left, right, below, above] : [right, left, below, above];
}

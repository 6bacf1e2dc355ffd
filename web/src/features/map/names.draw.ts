import { boxAround, covers, overlaps, within } from './boxes.ts';
import type { Box, Spot } from './boxes.ts';
import type { Palette } from './palette.ts';
import type { Frame } from './trace.ts';
import type { CountryName } from './world.ts';

const HEIGHT = 16;
const HALO = 3;
const SPACING = '1px';
/** A world this wide is the least in which countries have room for names: zoom 3. */
const LEAST_SCALE = 2048;
/** How far a name may run over its country's widest stretch. */
const OVERHANG = 1.15;

/** Draws the names of the countries that have room for them, where no symbol and no larger country's name is. */
export function drawNames({
  context,
  names,
  palette,
  frame,
  screen,
  view,
  spots,
}: {
  context: CanvasRenderingContext2D;
  names: readonly CountryName[];
  palette: Palette;
  frame: Frame;
  /** The part of the frame that is on the screen, and of that what nothing covers: a name lies wholly in it, or beyond both. */
  screen: Box;
  view: Box;
  /** What must not be written under. */
  spots: readonly Spot[];
}): void {
  const { scale, left, top, width, height } = frame;
  if (scale < LEAST_SCALE) return;
  context.font = `600 10.5px ${palette.font}`;
  context.letterSpacing = SPACING;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = HALO;
  context.strokeStyle = palette.halo;
  context.fillStyle = palette.country;
  const taken: Box[] = [];
  for (const { name, x, y, room } of names) {
    const atY = y * scale - top;
    if (atY < -HEIGHT || atY > height + HEIGHT) continue;
    const text = name.toUpperCase();
    let textWidth = 0;
    const first = Math.ceil((left - width) / scale - x);
    for (let copy = first; (x + copy) * scale - left < 2 * width; copy += 1) {
      textWidth ||= context.measureText(text).width;
      if (textWidth > room * scale * OVERHANG) break;
      const box = boxAround({ x: (x + copy) * scale - left, y: atY, width: textWidth, height: HEIGHT });
      if (overlaps(box, screen) && !within(box, view)) continue;
      if (spots.some((spot) => covers(spot, box)) || taken.some((other) => overlaps(other, box))) continue;
      taken.push(box);
      context.strokeText(text, (x + copy) * scale - left, atY);
      context.fillText(text, (x + copy) * scale - left, atY);
    }
  }
  context.letterSpacing = '0px';
}

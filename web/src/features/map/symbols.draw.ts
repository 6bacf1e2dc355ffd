import type { MachineType } from '@swarmdeck/bff/contract';
import { glyphs } from '../../ui/glyphs.ts';
import type { Palette } from './palette.ts';
import { clusterRadius, GLYPH_SIZE, outlines, RIM, RING_WIDTH, ringArcs, typeColours } from './symbols.ts';

type Context = CanvasRenderingContext2D;

/** Half the side of a stamp: the largest symbol, its rim and its shadow. */
const HALF = 40;
const SHADOW = { colour: 'rgb(16 40 40 / 0.28)', blur: 3, y: 1 };

/** Symbols drawn once for a palette and a pixel ratio, because a shadow costs more than all the rest. */
export interface Stamps {
  single(context: Context, type: MachineType, x: number, y: number): void;
  disc(context: Context, radius: number, x: number, y: number): void;
}

export function createStamps({ palette, ratio }: { palette: Palette; ratio: number }): Stamps {
  const made = new Map<MachineType | number, HTMLCanvasElement>();

  function stamp(key: MachineType | number, draw: (context: Context) => void): HTMLCanvasElement {
    const known = made.get(key);
    if (known) return known;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = Math.ceil(2 * HALF * ratio);
    const context = canvas.getContext('2d');
    if (context) {
      context.scale(ratio, ratio);
      context.translate(HALF, HALF);
      draw(context);
    }
    made.set(key, canvas);
    return canvas;
  }

  function put(context: Context, canvas: HTMLCanvasElement, x: number, y: number): void {
    const whole = (value: number) => Math.round((value - HALF) * ratio) / ratio;
    context.drawImage(canvas, whole(x), whole(y), canvas.width / ratio, canvas.height / ratio);
  }

  return {
    single: (context, type, x, y) =>
      put(
        context,
        stamp(type, (ink) => drawSingle({ context: ink, type, palette, ratio })),
        x,
        y,
      ),
    disc: (context, radius, x, y) => {
      const step = Math.round(radius * 4) / 4;
      put(
        context,
        stamp(step, (ink) => drawDisc({ context: ink, radius: step, palette, ratio })),
        x,
        y,
      );
    },
  };
}

/** Draws a cluster: its disc, the ring of machine types and the count. */
export function drawCluster({
  context,
  stamps,
  palette,
  x,
  y,
  count,
  label,
  by_type,
}: {
  context: Context;
  stamps: Stamps;
  palette: Palette;
  x: number;
  y: number;
  count: number;
  label: string;
  by_type: Record<MachineType, number>;
}): void {
  const radius = clusterRadius(count);
  stamps.disc(context, radius, x, y);
  const ring = radius - RING_WIDTH / 2;
  context.lineWidth = RING_WIDTH;
  for (const { type, from, to } of ringArcs({ by_type, radius: ring })) {
    context.beginPath();
    context.arc(x, y, ring, from, to);
    context.strokeStyle = palette[typeColours[type]];
    context.stroke();
  }
  context.fillStyle = palette.fg;
  context.font = `650 ${count > 20 ? 13 : 12}px ${palette.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(label, x, y + 0.5);
}

function drawDisc({
  context,
  radius,
  palette,
  ratio,
}: {
  context: Context;
  radius: number;
  palette: Palette;
  ratio: number;
}): void {
  castShadow(context, ratio);
  context.fillStyle = palette.panel;
  context.beginPath();
  context.arc(0, 0, radius + 1, 0, 2 * Math.PI);
  context.fill();
}

function drawSingle({
  context,
  type,
  palette,
  ratio,
}: {
  context: Context;
  type: MachineType;
  palette: Palette;
  ratio: number;
}): void {
  const outline = new Path2D(outlines[type]);
  context.save();
  castShadow(context, ratio);
  context.lineJoin = 'round';
  context.lineWidth = 2 * RIM;
  context.strokeStyle = palette.panel;
  context.stroke(outline);
  context.restore();
  context.fillStyle = palette[typeColours[type]];
  context.fill(outline);
  context.scale(GLYPH_SIZE / 24, GLYPH_SIZE / 24);
  context.translate(-12, -12);
  context.fillStyle = palette.glyph;
  context.fill(new Path2D(glyphs[type]));
}

/** Shadows are not scaled by a context's transform. */
function castShadow(context: Context, ratio: number): void {
  context.shadowColor = SHADOW.colour;
  context.shadowBlur = SHADOW.blur * ratio;
  context.shadowOffsetY = SHADOW.y * ratio;
}

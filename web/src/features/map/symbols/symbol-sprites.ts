import type { MachineType, Presence } from '@swarmdeck/bff/contract';
import { machineTypes } from '@swarmdeck/bff/first-rules';
import { clusterRadius, largestCluster, singleRadius } from '@swarmdeck/bff/symbol-size';
import { glyphs } from '../../../ui/symbols/type-badge.tsx';
import type { MapColours } from '../canvas/map-colours.ts';
import { GLYPH_SIZE, HOLLOW, outlines, RIM, RING_WIDTH, ringArcs, typeColours } from './symbol-shapes.ts';

type Context = CanvasRenderingContext2D;

/** The rim and the shadow outside a symbol's radius. */
const MARGIN = 6;
/** The maximum number of cached clusters: more than a view has. */
const MOST_CLUSTERS = 800;
const SHADOW = { colour: 'rgb(16 40 40 / 0.28)', blur: 3, y: 1 };

export interface Cluster {
  count: number;
  label: string;
  by_type: Record<MachineType, number>;
  /** Replaces the colours of machine types. */
  colour?: string | undefined;
}

type Single = Pick<Cluster, 'colour'> & { machine_type: MachineType; presence?: Presence | undefined };

/** Cached drawings of symbols for a set of colours and a pixel ratio. */
export interface Stamps {
  single(context: Context, single: Single, x: number, y: number): void;
  /**
   * Caches the drawings of these clusters for all frames of a glide; for a single frame, drawing directly is faster.
   * Must be called before the first copy: a canvas that changes between two copies is cloned by the browser.
   */
  prepare(clusters: readonly Cluster[]): void;
  cluster(context: Context, cluster: Cluster, x: number, y: number): void;
}

interface Stamp {
  canvas: HTMLCanvasElement;
  /** The centre on the canvas, in screen pixels. */
  x: number;
  y: number;
  /** Half the side, in px. */
  half: number;
}

export function createStamps({ colours, ratio }: { colours: MapColours; ratio: number }): Stamps {
  const fixed = new Map<string | number, Stamp>();
  /** The least recently used first. */
  const clusters = new Map<string, Stamp>();
  const sheet = createSheet(2 * Math.ceil(halfOf(largestCluster) * ratio));

  function drawOn({ canvas, x, y }: Stamp, draw: (context: Context) => void): void {
    const context = canvas.getContext('2d');
    context?.setTransform(ratio, 0, 0, ratio, x, y);
    if (context) draw(context);
  }
  function keep(key: string | number, radius: number, draw: (context: Context) => void): Stamp {
    const known = fixed.get(key);
    if (known) return known;
    const half = halfOf(radius);
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = Math.ceil(2 * half * ratio);
    const stamp = { canvas, x: half * ratio, y: half * ratio, half };
    drawOn(stamp, draw);
    fixed.set(key, stamp);
    return stamp;
  }
  function put(context: Context, { canvas, x, y, half }: Stamp, left: number, top: number): void {
    const whole = (value: number) => Math.round((value - half) * ratio) / ratio;
    const [side, from] = [2 * half, half * ratio];
    context.drawImage(canvas, x - from, y - from, side * ratio, side * ratio, whole(left), whole(top), side, side);
  }
  /** Drawing a shadow is the slowest part, so discs are shared by all clusters of about the same size. */
  function discOf(radius: number): Stamp {
    const step = Math.round(radius * 4) / 4;
    return keep(step, step, (ink) => drawDisc({ context: ink, radius: step, colours, ratio }));
  }
  function takeOldest(): Stamp | undefined {
    const [oldest] = clusters;
    if (oldest) clusters.delete(oldest[0]);
    return oldest?.[1];
  }
  function takePlace(): Stamp {
    const oldest = clusters.size < MOST_CLUSTERS ? undefined : takeOldest();
    if (oldest) return oldest;
    const { canvas, x, y } = sheet.take();
    return { canvas, x: x + sheet.side / 2, y: y + sheet.side / 2, half: 0 };
  }
  function make(cluster: Cluster): Stamp {
    const radius = clusterRadius(cluster.count);
    const stamp = { ...takePlace(), half: halfOf(radius) };
    drawOn(stamp, (ink) => {
      const reach = sheet.side / ratio;
      ink.clearRect(-reach / 2, -reach / 2, reach, reach);
      put(ink, discOf(radius), 0, 0);
      drawFace({ context: ink, cluster, colours, x: 0, y: 0 });
    });
    return stamp;
  }

  return {
    single(context, single, x, y) {
      const draw = (ink: Context) => drawSingle({ context: ink, single, colours, ratio });
      put(context, keep(`${single.machine_type} ${single.colour} ${isSilent(single)}`, singleRadius, draw), x, y);
    },
    prepare(wanted) {
      for (const cluster of wanted) {
        const key = keyOf(cluster);
        const known = clusters.get(key);
        clusters.delete(key);
        clusters.set(key, known ?? make(cluster));
      }
    },
    cluster(context, cluster, x, y) {
      const stamp = clusters.get(keyOf(cluster));
      if (stamp) {
        put(context, stamp, x, y);
        return;
      }
      put(context, discOf(clusterRadius(cluster.count)), x, y);
      drawFace({ context, cluster, colours, x: Math.round(x * ratio) / ratio, y: Math.round(y * ratio) / ratio });
    },
  };
}

const halfOf = (radius: number) => Math.ceil(radius) + MARGIN;
const keyOf = ({ label, by_type, colour }: Cluster) =>
  [label, colour, ...machineTypes.map((type) => by_type[type])].join();

interface DrawFaceOptions {
  context: Context;
  cluster: Cluster;
  colours: MapColours;
  x: number;
  y: number;
}

/** Draws the ring of machine types and the count of a cluster. */
function drawFace({ context, cluster: { count, label, by_type, colour }, colours, x, y }: DrawFaceOptions): void {
  const ring = clusterRadius(count) - RING_WIDTH / 2;
  context.lineWidth = RING_WIDTH;
  for (const { type, from, to } of ringArcs({ by_type, radius: ring })) {
    context.beginPath();
    context.arc(x, y, ring, from, to);
    context.strokeStyle = colour ?? colours[typeColours[type]];
    context.stroke();
  }
  context.fillStyle = colours.fg;
  context.font = `650 ${count > 20 ? 13 : 12}px ${colours.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(label, x, y + 0.5);
}

interface DrawDiscOptions {
  context: Context;
  radius: number;
  colours: MapColours;
  ratio: number;
}

function drawDisc({ context, radius, colours, ratio }: DrawDiscOptions): void {
  castShadow(context, ratio);
  context.fillStyle = colours.panel;
  context.beginPath();
  context.arc(0, 0, radius + 1, 0, 2 * Math.PI);
  context.fill();
}

interface DrawSingleOptions {
  context: Context;
  single: Single;
  colours: MapColours;
  ratio: number;
}

const isSilent = ({ presence }: Single) => presence?.state === 'silent';

/** The symbol of a silent device is hollow. */
function drawSingle({ context, single, colours, ratio }: DrawSingleOptions): void {
  const type = single.machine_type;
  const colour = single.colour ?? colours[typeColours[type]];
  const outline = new Path2D(outlines[type]);
  context.save();
  castShadow(context, ratio);
  context.lineJoin = 'round';
  context.lineWidth = 2 * RIM;
  context.strokeStyle = colours.panel;
  context.stroke(outline);
  context.restore();
  context.fillStyle = isSilent(single) ? colours.panel : colour;
  context.fill(outline);
  if (isSilent(single)) {
    context.clip(outline);
    context.lineWidth = 2 * HOLLOW;
    context.strokeStyle = colour;
    context.stroke(outline);
  }
  context.scale(GLYPH_SIZE / 24, GLYPH_SIZE / 24);
  context.translate(-12, -12);
  context.fillStyle = isSilent(single) ? colour : colours.glyph;
  context.fill(new Path2D(glyphs[type]));
}

/** A context's transform does not scale shadows. */
function castShadow(context: Context, ratio: number): void {
  context.shadowColor = SHADOW.colour;
  context.shadowBlur = SHADOW.blur * ratio;
  context.shadowOffsetY = SHADOW.y * ratio;
}

/** A square of a canvas, in screen pixels. */
interface Square {
  canvas: HTMLCanvasElement;
  x: number;
  y: number;
}

/** Columns and rows: with a side of 72 px, a canvas has 4 MB. */
const ACROSS = 14;

/**
 * Allocates squares with a side of so many pixels on shared canvases, because a canvas costs more than drawing on it.
 */
function createSheet(side: number) {
  let canvas: HTMLCanvasElement | null = null;
  let taken = 0;
  return {
    side,
    take(): Square {
      const at = taken % ACROSS ** 2;
      if (canvas === null || at === 0) {
        canvas = document.createElement('canvas');
        canvas.width = canvas.height = side * ACROSS;
      }
      taken += 1;
      return { canvas, x: (at % ACROSS) * side, y: Math.floor(at / ACROSS) * side };
    },
  };
}

interface DrawRingOptions {
  context: CanvasRenderingContext2D;
  x: number;
  y: number;
  radius: number;
  width: number;
  colour: string;
}

export function drawRing({ context, x, y, radius, width, colour }: DrawRingOptions): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

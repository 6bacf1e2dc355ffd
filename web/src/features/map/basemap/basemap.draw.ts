import type { MapColours } from '../canvas/map-colours.ts';
import { latitudeAt, longitudeAt, worldSize, worldX, worldY } from '../geometry/mercator.ts';
import { traceAreas, traceLines, type Frame } from '../geometry/trace.ts';
import type { Waters, World } from './world.ts';

const DASH = [5, 3];
const DASH_LENGTH = 8;
const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
/** The opacity of the graticule on land, in the colour of the coasts. */
const ON_LAND = 0.14;
const STEP_ROOM = 150;
const RIVERS_FROM_ZOOM = 6;
const RIVER_WIDTH = 1.5;

type Canvas = CanvasRenderingContext2D;

interface DrawBasemapOptions {
  context: Canvas;
  /** The parts of the land in the frame. They overlap. */
  land: readonly World[];
  waters: readonly Waters[];
  colours: MapColours;
  frame: Frame;
}

/** Draws sea, graticule, land, lakes, rivers, coasts and borders of a frame, in CSS pixels. */
export function drawBasemap({ context, land, waters, colours, frame }: DrawBasemapOptions): void {
  context.fillStyle = colours.sea;
  context.fillRect(0, 0, frame.width, frame.height);
  context.fillStyle = colours.grat;
  drawGraticule(context, frame);

  context.fillStyle = colours.land;
  for (const { land: areas } of land) {
    context.beginPath();
    traceAreas({ pen: context, areas, frame });
    context.fill('evenodd');
  }
  for (const part of waters) drawWaters({ context, waters: part, colours, frame });
  context.globalAlpha = ON_LAND;
  context.fillStyle = colours.coast;
  drawGraticule(context, frame);
  context.globalAlpha = 1;

  context.lineJoin = 'round';
  context.lineWidth = 1;
  context.beginPath();
  for (const { coast } of land) traceLines({ pen: context, lines: coast, frame });
  context.strokeStyle = colours.coast;
  context.stroke();

  // Each run has its own path, so that its dashes continue those of the neighbouring tile.
  context.strokeStyle = colours.border;
  context.setLineDash(DASH);
  context.beginPath();
  const begin = (length: number) => {
    context.stroke();
    context.beginPath();
    context.lineDashOffset = length % DASH_LENGTH;
  };
  for (const { borders } of land) traceLines({ pen: context, lines: borders, frame, begin });
  context.stroke();
  context.setLineDash([]);
}

interface DrawWatersOptions {
  context: Canvas;
  waters: Waters;
  colours: MapColours;
  frame: Frame;
}

function drawWaters({ context, waters, colours, frame }: DrawWatersOptions): void {
  context.fillStyle = context.strokeStyle = colours.sea;
  if (frame.scale >= worldSize(RIVERS_FROM_ZOOM)) {
    context.beginPath();
    traceLines({ pen: context, lines: waters.rivers, frame });
    context.lineWidth = RIVER_WIDTH;
    context.stroke();
  }
  context.beginPath();
  traceAreas({ pen: context, areas: waters.lakes, frame });
  context.fill('evenodd');
  context.strokeStyle = colours.coast;
  context.lineWidth = 1;
  context.beginPath();
  traceLines({ pen: context, lines: waters.lakes, frame });
  context.stroke();
}

/** Degrees between the lines of the graticule, which keep a minimum distance in px. */
export function graticuleStep(scale: number): number {
  return STEPS.findLast((step) => (step / 360) * scale >= STEP_ROOM) ?? 30;
}

function drawGraticule(context: Canvas, { scale, left, top, width, height }: Frame): void {
  const step = graticuleStep(scale);
  const east = longitudeAt((left + width) / scale);
  for (let at = Math.ceil(longitudeAt(left / scale) / step); at * step <= east; at += 1) {
    context.fillRect(Math.round(worldX(at * step) * scale - left), 0, 1, height);
  }
  const north = latitudeAt(top / scale);
  for (let at = Math.ceil(latitudeAt((top + height) / scale) / step); at * step <= north; at += 1) {
    context.fillRect(0, Math.round(worldY(at * step) * scale - top), width, 1);
  }
}

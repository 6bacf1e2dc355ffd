import type { MachineType, MapFeature, MemberRole, Position } from '@swarmdeck/bff/contract';
import { formatNumber } from '../../text/text.ts';
import type { Box, Spot } from './boxes.ts';
import { fitText, isolate } from './canvas-text.ts';
import { placeLabel } from './label-place.ts';
import { drawNames } from './names.draw.ts';
import type { Palette } from './palette.ts';
import { drawRole } from './role.draw.ts';
import { placeFeatures, project } from './scene.ts';
import type { Placed } from './scene.ts';
import { drawCluster } from './symbols.draw.ts';
import type { Stamps } from './symbols.draw.ts';
import { HOVER, SELECTED } from './symbols.ts';
import type { Frame } from './trace.ts';
import type { CountryName } from './world.ts';

/** The device that list and map show as selected; without a position it is in the list only. */
export interface SelectedDevice {
  id: string;
  name: string;
  machine_type: MachineType;
  position?: Position | undefined;
  /** In the swarm whose members the map shows. */
  resource_type?: MemberRole;
}

export interface Scene {
  features: readonly MapFeature[];
  selected: SelectedDevice | null;
  hoveredId: string | null;
}

const LABEL = { height: 28, padding: 10, radius: 8, widest: 240 };
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Draws all symbols and the names of countries between them. Answers with what is where, for the pointer. */
export function drawScene({
  context,
  scene,
  names,
  palette,
  stamps,
  frame,
  screen,
  view,
  rightToLeft,
}: {
  context: CanvasRenderingContext2D;
  scene: Scene;
  names: readonly CountryName[];
  palette: Palette;
  stamps: Stamps;
  frame: Frame;
  /** The part of the frame that is on the screen. */
  screen: Box;
  /** What of that is not covered. */
  view: Box;
  rightToLeft: boolean;
}): Placed[] {
  const placed = placeFeatures({ features: scene.features, frame });
  const chosen = scene.selected ? selectedSpots({ selected: scene.selected, placed, frame }) : [];
  drawNames({ context, names, palette, frame, screen, view, spots: [...placed, ...chosen] });

  for (const { feature, x, y, radius } of placed) {
    const { properties } = feature;
    if (feature.id === scene.hoveredId) {
      const beside = properties.cluster ? radius + 4 : HOVER.radius;
      drawRing({ context, x, y, radius: beside, width: HOVER.width, colour: palette.accent });
    }
    if (properties.cluster) {
      const { point_count: count, by_type } = properties;
      drawCluster({ context, stamps, palette, x, y, count, label: countLabel(count), by_type });
    } else if (feature.id !== scene.selected?.id) {
      stamps.single(context, properties.machine_type, x, y);
      const { resource_type: role } = properties;
      if (role) drawRole({ context, palette, role, x, y, rightToLeft });
    }
  }

  const { selected } = scene;
  if (selected === null) return placed;
  for (const spot of chosen) {
    const { x, y } = spot;
    context.fillStyle = palette.panel;
    context.beginPath();
    context.arc(x, y, SELECTED.radius, 0, 2 * Math.PI);
    context.fill();
    drawRing({ context, x, y, radius: SELECTED.radius, width: SELECTED.width, colour: palette.accent });
    stamps.single(context, selected.machine_type, x, y);
    const { resource_type: role } = selected;
    if (role) drawRole({ context, palette, role, x, y, rightToLeft });
  }
  const others = placed.filter(({ feature }) => feature.id !== selected.id);
  for (const anchor of chosen) drawLabel({ context, text: selected.name, palette, anchor, others, view, rightToLeft });
  return placed;
}

/** The selected device's own symbol, or its position where a cluster has swallowed it. */
function selectedSpots({
  selected,
  placed,
  frame,
}: {
  selected: SelectedDevice;
  placed: readonly Placed[];
  frame: Frame;
}): Spot[] {
  const radius = SELECTED.radius + SELECTED.width / 2;
  const own = placed.filter(({ feature }) => feature.id === selected.id);
  if (own.length > 0) return own.map(({ x, y }) => ({ x, y, radius }));
  if (!selected.position) return [];
  const { longitude, latitude } = selected.position;
  return project({ coordinates: [longitude, latitude], frame, margin: radius }).map((at) => ({ ...at, radius }));
}

function countLabel(count: number): string {
  return count < 10_000 ? formatNumber(count) : compact.format(count);
}

function drawRing({
  context,
  x,
  y,
  radius,
  width,
  colour,
}: {
  context: CanvasRenderingContext2D;
  x: number;
  y: number;
  radius: number;
  width: number;
  colour: string;
}): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

function drawLabel({
  context,
  text,
  palette,
  anchor,
  others,
  view,
  rightToLeft,
}: {
  context: CanvasRenderingContext2D;
  text: string;
  palette: Palette;
  anchor: Spot;
  others: readonly Spot[];
  view: Box;
  rightToLeft: boolean;
}): void {
  context.font = `600 13px ${palette.font}`;
  context.direction = rightToLeft ? 'rtl' : 'ltr';
  const measure = (part: string) => context.measureText(isolate(part)).width;
  const shown = fitText({ text, width: LABEL.widest, measure });
  const size = { width: measure(shown) + 2 * LABEL.padding, height: LABEL.height };
  const box = placeLabel({ anchor, size, spots: others, view });
  const [left, top] = [Math.round(box.left), Math.round(box.top)];

  context.save();
  context.shadowColor = 'rgb(0 0 0 / 0.2)';
  context.shadowBlur = 10 * devicePixelRatio;
  context.shadowOffsetY = 3 * devicePixelRatio;
  context.fillStyle = palette.panel;
  context.beginPath();
  context.roundRect(left, top, size.width, size.height, LABEL.radius);
  context.fill();
  context.restore();
  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  context.stroke();

  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = palette.fg;
  context.fillText(isolate(shown), left + size.width / 2, top + size.height / 2 + 0.5);
}

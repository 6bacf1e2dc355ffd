/** Extras that only some maps need: ring and label of the selected device, roles, names, ages. Lazily loaded. */
import { fitText } from '../../../ui/fit-text.ts';
import { isolate } from '../../../ui/fit-text.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import type { Box, Spot } from '../geometry/boxes.ts';
import { placeLabel } from '../geometry/label-place.ts';
import { ageColour } from './age.ts';
import { drawDeviceNames } from './device-names.draw.ts';
import { drawRing } from './ring.draw.ts';
import { drawRole } from './role.draw.ts';
import type { SelectedDevice } from './scene.ts';
import type { Stamps } from './symbols.draw.ts';
import { SELECTED } from './symbols.ts';

export type SymbolExtras = typeof extras;

const LABEL = { height: 28, padding: 10, radius: 8, widest: 240 };

/** Returns the box of the label. */
function drawSelected({
  context,
  selected,
  colour,
  spot,
  others,
  covered,
  colours,
  stamps,
  view,
  rightToLeft,
}: {
  context: CanvasRenderingContext2D;
  selected: SelectedDevice;
  colour: string | undefined;
  spot: Spot;
  others: readonly Spot[];
  covered: readonly Box[];
  colours: MapColours;
  stamps: Stamps;
  view: Box;
  rightToLeft: boolean;
}): Box {
  const { x, y } = spot;
  context.fillStyle = colours.panel;
  context.beginPath();
  context.arc(x, y, SELECTED.radius, 0, 2 * Math.PI);
  context.fill();
  drawRing({ context, x, y, radius: SELECTED.radius, width: SELECTED.width, colour: colours.accent });
  stamps.single(context, { machine_type: selected.machine_type, colour }, x, y);
  const { resource_type: role } = selected;
  if (role) drawRole({ context, colours, role, x, y, rightToLeft });
  return drawLabel({ context, text: selected.name, colours, anchor: spot, others, covered, view, rightToLeft });
}

function drawLabel({
  context,
  text,
  colours,
  anchor,
  others,
  covered,
  view,
  rightToLeft,
}: {
  context: CanvasRenderingContext2D;
  text: string;
  colours: MapColours;
  anchor: Spot;
  others: readonly Spot[];
  covered: readonly Box[];
  view: Box;
  rightToLeft: boolean;
}): Box {
  context.font = `600 13px ${colours.font}`;
  context.direction = rightToLeft ? 'rtl' : 'ltr';
  const measure = (part: string) => context.measureText(isolate(part)).width;
  const shown = fitText({ text, width: LABEL.widest, measure });
  const size = { width: measure(shown) + 2 * LABEL.padding, height: LABEL.height };
  const box = placeLabel({ anchor, size, spots: others, covered, view });
  const [left, top] = [Math.round(box.left), Math.round(box.top)];

  context.save();
  const ratio = context.getTransform().a;
  context.shadowColor = 'rgb(0 0 0 / 0.2)';
  context.shadowBlur = 10 * ratio;
  context.shadowOffsetY = 3 * ratio;
  context.fillStyle = colours.panel;
  context.beginPath();
  context.roundRect(left, top, size.width, size.height, LABEL.radius);
  context.fill();
  context.restore();
  context.lineWidth = 1;
  context.strokeStyle = colours.line;
  context.stroke();

  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = colours.fg;
  context.fillText(isolate(shown), left + size.width / 2, top + size.height / 2 + 0.5);
  return box;
}

export const extras = { selected: drawSelected, role: drawRole, names: drawDeviceNames, colour: ageColour };

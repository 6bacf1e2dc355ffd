import { dayMs, hourMs, minuteMs } from '@swarmdeck/bff/durations';
import { formatValue } from '../../../text/format-value.ts';
import { isRightToLeft } from '../../../text/language.ts';
import { isolate } from '../../../text/isolate.ts';
import { shortenText } from '../../../ui/texts/shorten-text.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import { overlaps, within, type Rect, type Disc } from '../geometry/boxes.ts';
import { Occupied } from '../geometry/occupied.ts';
import { placeLabel } from '../geometry/place-label.ts';
import type { Frame } from '../geometry/trace.ts';
import type { Placed, SelectedSymbol, ValueRange } from './scene.ts';
import type { MemberRole, Presence, PresenceState } from '@swarmdeck/bff/contract';
import { drawRing, type Stamps } from './symbol-sprites.ts';
import { SELECTED } from './symbol-shapes.ts';

const HEIGHT = 18;
const WIDEST = 180;
const HALO = 3;
const DISTANCE = 4;
/** The minimum width of the world for names of single devices: zoom 9. */
const LEAST_SCALE = 256 * 2 ** 9;

interface DrawDeviceNamesOptions {
  context: CanvasRenderingContext2D;
  placed: readonly Placed[];
  /** Symbols and labels that must not be covered. */
  discs: readonly Disc[];
  boxes: readonly Rect[];
  colours: MapColours;
  frame: Pick<Frame, 'scale' | 'width' | 'height'>;
  /** The uncovered part of the view. A name must be entirely inside it, or entirely outside. */
  view: Rect;
  labels: { names: boolean; valueKey: string | null };
}

/** Draws the names and values of single devices beside them, where there is space. Returns their boxes. */
function drawDeviceNames({
  context,
  placed,
  discs,
  boxes,
  colours,
  frame,
  view,
  labels,
}: DrawDeviceNamesOptions): Rect[] {
  const hasNames = labels.names && frame.scale >= LEAST_SCALE;
  if (!hasNames && labels.valueKey === null) return [];
  const occupied = new Occupied();
  for (const disc of discs) occupied.addDisc(disc);
  for (const box of boxes) occupied.addBox(box);
  context.font = `600 12.5px ${colours.font}`;
  context.direction = isRightToLeft ? 'rtl' : 'ltr';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = HALO;
  context.strokeStyle = colours.halo;
  context.fillStyle = colours.fg;
  const measure = (part: string) => context.measureText(isolate(part)).width;
  const whole = { left: 0, top: 0, right: frame.width, bottom: frame.height };
  const written: Rect[] = [];
  for (const { feature, x, y, radius } of placed) {
    const { properties } = feature;
    if (properties.cluster) continue;
    const value = labels.valueKey === null ? undefined : properties.values?.[labels.valueKey]?.value;
    const parts = [...(value === undefined ? [] : [formatValue(value)]), ...(hasNames ? [properties.name] : [])];
    if (parts.length === 0) continue;
    const text = shortenText({ text: parts.join(' · '), width: WIDEST, measure });
    const box = boxesBeside({ x, y, radius, width: measure(text) }).find(
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
function boxesBeside({ x, y, radius, width }: Disc & { width: number }): Rect[] {
  const [half, reach] = [HEIGHT / 2, radius + DISTANCE];
  const right = { left: x + reach, top: y - half, right: x + reach + width, bottom: y + half };
  const left = { left: x - reach - width, top: y - half, right: x - reach, bottom: y + half };
  const middle = { left: x - width / 2, right: x + width / 2 };
  const below = { ...middle, top: y + reach, bottom: y + reach + HEIGHT };
  const above = { ...middle, top: y - reach - HEIGHT, bottom: y - reach };
  return isRightToLeft ? [left, right, below, above] : [right, left, below, above];
}

/** The labelled ages of the legend's scale, in ms: now, a minute, an hour, a day. */
const labelledAges = [0, minuteMs, hourMs, dayMs];
const STEPS_BETWEEN = 6;
export const OLDEST = (labelledAges.length - 1) * STEPS_BETWEEN;

/** The step of an age: 0 is just now, OLDEST a day ago or more. `now` is the server's clock. */
export function ageStep({ at, now }: { at: string; now: number }): number {
  const age = now - Date.parse(at);
  const next = labelledAges.findIndex((labelled) => age < labelled);
  if (next === 0) return 0;
  const [from, to] = [labelledAges[next - 1], labelledAges[next]];
  if (from === undefined || to === undefined) return OLDEST;
  // Linear within the first minute, then logarithmic.
  const part = from === 0 ? age / to : Math.log(age / from) / Math.log(to / from);
  return Math.floor((next - 1 + part) * STEPS_BETWEEN);
}

interface HeardColourOptions {
  /** The state of a device, or how many devices of a cluster have each state. */
  heard: Presence | Record<PresenceState, number>;
  now: number;
  colours: { accent: string; field: string };
}

/** From the accent colour for online to grey for what was heard a day ago, or never. */
export function heardColour({ heard, now, colours }: HeardColourOptions): string {
  const step = heardStep(heard, now);
  return `color-mix(in srgb, ${colours.field} ${Math.round((100 * step) / OLDEST)}%, ${colours.accent})`;
}

function heardStep(heard: HeardColourOptions['heard'], now: number): number {
  if (!('state' in heard)) {
    const { online, offline, silent, never } = heard;
    return Math.round(OLDEST * (1 - online / (online + offline + silent + never)));
  }
  if (heard.state === 'online') return 0;
  return heard.heard_at === undefined ? OLDEST : ageStep({ at: heard.heard_at, now });
}

/** Fewer colours than numbers, because each has a drawing of its own. */
const VALUE_STEPS = 24;

interface ValueColourOptions {
  /** Undefined: the device has not said it. */
  number: number | undefined;
  range: ValueRange;
  colours: { 't-pc': string; 't-phone': string; field: string };
}

/** From the colour of the smallest number to that of the largest one. Grey without a number. */
function valueColour({ number, range: { least, most }, colours }: ValueColourOptions): string {
  if (number === undefined) return colours.field;
  // The difference of large numbers may be infinite.
  const part = most > least ? (number / 2 - least / 2) / (most / 2 - least / 2) : 0.5;
  const percent = (Math.round(VALUE_STEPS * Math.min(1, Math.max(0, part))) * 100) / VALUE_STEPS;
  return `color-mix(in oklab, ${colours['t-phone']} ${percent.toFixed(1)}%, ${colours['t-pc']})`;
}

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

interface DrawRoleOptions {
  context: CanvasRenderingContext2D;
  colours: MapColours;
  role: MemberRole;
  x: number;
  y: number;
}

/** Draws the role of a device in the map's swarm, beside its symbol. */
export function drawRole({ context, colours, role, x, y }: DrawRoleOptions): void {
  const [left, top] = [x + (isRightToLeft ? -CORNER : CORNER), y - CORNER];
  context.fillStyle = colours.panel;
  context.beginPath();
  context.arc(left, top, DISC, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = colours.fg;
  context.beginPath();
  for (const [right, down] of shapes[role]) context.lineTo(left + right, top + down);
  context.fill();
}

interface DrawSilentOptions {
  context: CanvasRenderingContext2D;
  colours: MapColours;
  x: number;
  y: number;
  /** The radius of the cluster. */
  radius: number;
}

/** An empty diamond at the rim of a cluster that has a silent device. */
function drawSilent({ context, colours, x, y, radius }: DrawSilentOptions): void {
  const reach = radius * Math.SQRT1_2;
  const [left, top] = [x + (isRightToLeft ? -reach : reach), y - reach];
  context.beginPath();
  for (const [right, down] of shapes.both) context.lineTo(left + 1.4 * right, top + 1.4 * down);
  context.closePath();
  context.fillStyle = colours.panel;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = colours.warn;
  context.stroke();
}

/** Extras that only some maps need: ring and label of the selected device, roles, names, ages. Lazily loaded. */

export type SymbolExtras = typeof extras;

const LABEL = { height: 28, padding: 10, radius: 8, widest: 240 };

interface DrawSelectedOptions {
  context: CanvasRenderingContext2D;
  selected: SelectedSymbol;
  colour: string | undefined;
  disc: Disc;
  others: readonly Disc[];
  covered: readonly Rect[];
  colours: MapColours;
  stamps: Stamps;
  view: Rect;
}

/** Returns the box of the label. */
function drawSelected({
  context,
  selected,
  colour,
  disc,
  others,
  covered,
  colours,
  stamps,
  view,
}: DrawSelectedOptions): Rect {
  const { x, y } = disc;
  context.fillStyle = colours.panel;
  context.beginPath();
  context.arc(x, y, SELECTED.radius, 0, 2 * Math.PI);
  context.fill();
  drawRing({ context, x, y, radius: SELECTED.radius, width: SELECTED.width, colour: colours.accent });
  stamps.single(context, { machine_type: selected.machine_type, presence: selected.presence, colour }, x, y);
  const { resource_type: role } = selected;
  if (role) drawRole({ context, colours, role, x, y });
  return drawLabel({ context, text: selected.name, colours, anchor: disc, others, covered, view });
}

interface DrawLabelOptions {
  context: CanvasRenderingContext2D;
  text: string;
  colours: MapColours;
  anchor: Disc;
  others: readonly Disc[];
  covered: readonly Rect[];
  view: Rect;
}

function drawLabel({ context, text, colours, anchor, others, covered, view }: DrawLabelOptions): Rect {
  context.font = `600 13px ${colours.font}`;
  context.direction = isRightToLeft ? 'rtl' : 'ltr';
  const measure = (part: string) => context.measureText(isolate(part)).width;
  const shown = shortenText({ text, width: LABEL.widest, measure });
  const size = { width: measure(shown) + 2 * LABEL.padding, height: LABEL.height };
  const box = placeLabel({ anchor, size, discs: others, covered, view });
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

export const extras = {
  selected: drawSelected,
  role: drawRole,
  names: drawDeviceNames,
  colour: heardColour,
  valueColour,
  silent: drawSilent,
};

import type { MapFeature, Presence, PresenceState } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import type { Rect, Disc } from '../geometry/boxes.ts';
import type { Frame } from '../geometry/trace.ts';
import type { SymbolExtras } from './symbol-extras.draw.ts';
import { drawRing, type Cluster, type Stamps } from './symbol-sprites.ts';
import { numberOf, placeFeatures, project, type Placed, type Scene, type SelectedSymbol } from './scene.ts';
import { HOVER, SELECTED } from './symbol-shapes.ts';

/** Whether the scene needs the lazily loaded extras. */
export function needsExtras({ features, selected, names, colourAt, valueKey }: Scene): boolean {
  if (selected !== null || colourAt || valueKey) return true;
  return features.some(({ properties }) =>
    properties.cluster ? properties.by_presence.silent > 0 : names || properties.resource_type,
  );
}

interface Drawn {
  /** The positions of the symbols, for hit testing. */
  placed: Placed[];
  /** The discs that names must not cover. */
  discs: Disc[];
  boxes: Rect[];
}

interface DrawSceneOptions {
  context: CanvasRenderingContext2D;
  scene: Scene;
  colours: MapColours;
  stamps: Stamps;
  frame: Frame;
  /** The visible, uncovered part of the frame. */
  view: Rect;
  /** Boxes over the map: controls, a card. Read only if there is a label to place. */
  covered: () => Rect[];
  /** Null until they are loaded. */
  extras: SymbolExtras | null;
  /** The next frame will draw most symbols again. */
  gliding: boolean;
}

/** Draws all symbols. */
export function drawScene({
  context,
  scene,
  colours,
  stamps,
  frame,
  view,
  covered,
  extras,
  gliding,
}: DrawSceneOptions): Drawn {
  const middle = (view.left + view.right) / 2;
  const placed = placeFeatures({ features: scene.features, frame, middle });
  const chosen = scene.selected && selectedDisc({ selected: scene.selected, placed, frame, middle });

  const byHeard = (heard: Presence | Record<PresenceState, number> | undefined) =>
    scene.colourAt && heard ? extras?.colour({ heard, now: scene.colourAt, colours }) : undefined;
  const { valueKey, valueRange } = scene;
  const colourOf = (properties: MapFeature['properties']) =>
    valueKey && valueRange
      ? extras?.valueColour({ number: numberOf(properties, valueKey), range: valueRange, colours })
      : byHeard(properties.cluster ? properties.by_presence : properties.presence);
  const clusters = new Map(placed.flatMap(({ feature }) => clusterOf(feature, colourOf)));
  if (gliding) stamps.prepare([...clusters.values()]);
  context.save();
  for (const { feature, x, y, radius } of placed) {
    const { properties } = feature;
    const cluster = clusters.get(feature);
    if (feature.id === scene.hoveredId) {
      const beside = properties.cluster ? radius + 4 : HOVER.radius;
      drawRing({ context, x, y, radius: beside, width: HOVER.width, colour: colours.accent });
    }
    if (cluster) {
      stamps.cluster(context, cluster, x, y);
      if (properties.cluster && properties.by_presence.silent > 0) extras?.silent({ context, colours, x, y, radius });
    } else if (!properties.cluster && (feature.id !== scene.selected?.id || !extras)) {
      stamps.single(context, { ...properties, colour: colourOf(properties) }, x, y);
      const { resource_type: role } = properties;
      if (role) extras?.role({ context, colours, role, x, y });
    }
  }
  context.restore();

  const { selected } = scene;
  const discs = chosen ? [...placed, chosen] : placed;
  const boxes: Rect[] = [];
  const others = placed.filter(({ feature }) => feature.id !== selected?.id);
  if (selected && extras && chosen) {
    const own = placed.find(({ feature }) => feature.id === selected.id)?.feature.properties;
    const colour = own ? colourOf(own) : byHeard(selected.presence);
    const device = { selected, colour, disc: chosen, others, covered: covered() };
    boxes.push(extras.selected({ context, ...device, colours, stamps, view }));
  }
  if ((scene.names || valueKey) && extras) {
    const labels = { names: scene.names === true, valueKey: valueKey ?? null };
    boxes.push(...extras.names({ context, placed: others, discs, boxes, colours, frame, view, labels }));
  }
  return { placed, discs, boxes };
}

interface SelectedDiscOptions {
  selected: SelectedSymbol;
  placed: readonly Placed[];
  frame: Frame;
  middle: number;
}

/** The selected device's own symbol, or its position if a cluster contains it; null if neither is in the frame. */
function selectedDisc({ selected, placed, frame, middle }: SelectedDiscOptions): Disc | null {
  const radius = SELECTED.radius + SELECTED.width / 2;
  const own = placed.find(({ feature }) => feature.id === selected.id);
  if (own) return { x: own.x, y: own.y, radius };
  if (!selected.position) return null;
  const { longitude, latitude } = selected.position;
  const at = project({ coordinates: [longitude, latitude], frame, middle, margin: radius });
  return at && { ...at, radius };
}

function clusterOf(
  feature: MapFeature,
  colourOf: (properties: MapFeature['properties']) => string | undefined,
): [MapFeature, Cluster][] {
  const { properties } = feature;
  if (!properties.cluster) return [];
  const { point_count: count, by_type } = properties;
  return [[feature, { count, label: countLabel(count), by_type, colour: colourOf(properties) }]];
}

/** From 10,000 on it is short in every language, so that it fits in its disc. */
export function countLabel(count: number): string {
  const inUnits = (unit: number) => formatNumber(Math.round((10 * count) / unit) / 10);
  if (count < 10_000) return formatNumber(count);
  return count < 999_950 ? t.map.thousands(inUnits(1000)) : t.map.millions(inUnits(1_000_000));
}

import type { MapFeature } from '@swarmdeck/bff/contract';
import { formatNumber } from '../../text/text.ts';
import type { Box, Spot } from './boxes.ts';
import type { Marks } from './marks.draw.ts';
import { drawNames } from './names.draw.ts';
import type { Palette } from './palette.ts';
import { drawRing } from './ring.draw.ts';
import { placeFeatures, project } from './scene.ts';
import type { Placed, Scene, SelectedDevice } from './scene.ts';
import type { Cluster, Stamps } from './symbols.draw.ts';
import { HOVER, SELECTED } from './symbols.ts';
import type { Frame } from './trace.ts';
import type { CountryName } from './world.ts';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Whether there is anything to mark. */
export function wantsMarks({ features, selected }: Scene): boolean {
  return selected !== null || features.some(({ properties }) => !properties.cluster && properties.resource_type);
}

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
  marks,
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
  /** Null until they are loaded. */
  marks: Marks | null;
  rightToLeft: boolean;
}): Placed[] {
  const placed = placeFeatures({ features: scene.features, frame });
  const chosen = scene.selected ? selectedSpots({ selected: scene.selected, placed, frame }) : [];
  drawNames({ context, names, palette, frame, screen, view, spots: [...placed, ...chosen] });

  const clusters = new Map(placed.flatMap(({ feature }) => clusterOf(feature)));
  stamps.prepare([...clusters.values()]);
  for (const { feature, x, y, radius } of placed) {
    const { properties } = feature;
    const cluster = clusters.get(feature);
    if (feature.id === scene.hoveredId) {
      const beside = properties.cluster ? radius + 4 : HOVER.radius;
      drawRing({ context, x, y, radius: beside, width: HOVER.width, colour: palette.accent });
    }
    if (cluster) {
      stamps.cluster(context, cluster, x, y);
    } else if (!properties.cluster && (feature.id !== scene.selected?.id || !marks)) {
      stamps.single(context, properties.machine_type, x, y);
      const { resource_type: role } = properties;
      if (role) marks?.role({ context, palette, role, x, y, rightToLeft });
    }
  }

  const { selected } = scene;
  if (selected && marks) {
    const others = placed.filter(({ feature }) => feature.id !== selected.id);
    for (const spot of chosen) marks.selected({ context, selected, spot, others, palette, stamps, view, rightToLeft });
  }
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

function clusterOf(feature: MapFeature): [MapFeature, Cluster][] {
  const { properties } = feature;
  if (!properties.cluster) return [];
  const { point_count: count, by_type } = properties;
  return [[feature, { count, label: countLabel(count), by_type }]];
}

function countLabel(count: number): string {
  return count < 10_000 ? formatNumber(count) : compact.format(count);
}

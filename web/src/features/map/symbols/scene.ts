import type { MachineType, MapFeature, MemberRole, Position } from '@swarmdeck/bff/contract';
import type { Spot } from '../geometry/boxes.ts';
import { shownY, worldX } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';
import { clusterRadius, SINGLE_RADIUS } from './symbols.ts';

/** The device that list and map show as selected; without a position it is in the list only. */
export interface SelectedDevice {
  id: string;
  name: string;
  machine_type: MachineType;
  position?: Position | undefined;
  /** In the swarm whose members the map shows. */
  resource_type?: MemberRole;
  changed_at?: string;
}

export interface Scene {
  features: readonly MapFeature[];
  selected: SelectedDevice | null;
  hoveredId: string | null;
  /** Coloured by last change, as old as that is at this time of the server's clock; else by machine type. */
  colourAt?: number | null;
  /** Single devices have their names beside them, where there is room. */
  names?: boolean;
}

/** A symbol where it is drawn: `x` and `y` are px within the frame. */
export interface Placed extends Spot {
  feature: MapFeature;
}

/** Where a position is within a frame: once for each copy of the world that shows it, `margin` px beyond the edge included. */
export function project({
  coordinates: [longitude, latitude],
  frame,
  margin,
}: {
  coordinates: readonly [number, number];
  frame: Frame;
  margin: number;
}): { x: number; y: number }[] {
  const { scale, left, top, width, height } = frame;
  const y = shownY(latitude) * scale - top;
  if (y < -margin || y > height + margin) return [];
  const x = worldX(longitude) * scale - left;
  const spots: { x: number; y: number }[] = [];
  for (let copy = Math.ceil((-margin - x) / scale); x + copy * scale <= width + margin; copy += 1) {
    spots.push({ x: x + copy * scale, y });
  }
  return spots;
}

export function placeFeatures({ features, frame }: { features: readonly MapFeature[]; frame: Frame }): Placed[] {
  return features.flatMap((feature) => {
    const { properties } = feature;
    const radius = properties.cluster ? clusterRadius(properties.point_count) : SINGLE_RADIUS;
    return project({ coordinates: feature.geometry.coordinates, frame, margin: radius }).map((at) => ({
      ...at,
      radius,
      feature,
    }));
  });
}

/** The symbol under the pointer: of those within reach the one whose centre is nearest, the upper one on a tie. */
export function hit<Symbol extends Spot>({
  placed,
  x,
  y,
  slack,
}: {
  placed: readonly Symbol[];
  x: number;
  y: number;
  /** How far beside a symbol still counts, in px: more for fingers than for a mouse. */
  slack: number;
}): Symbol | null {
  let found: Symbol | null = null;
  let nearest = Infinity;
  for (const symbol of placed) {
    const distance = Math.hypot(symbol.x - x, symbol.y - y);
    if (distance > symbol.radius + slack || distance > nearest) continue;
    found = symbol;
    nearest = distance;
  }
  return found;
}

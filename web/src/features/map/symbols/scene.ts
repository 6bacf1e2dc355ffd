import type { MachineType, MapFeature, MemberRole, Position, Presence } from '@swarmdeck/bff/contract';
import { clusterRadius, singleRadius } from '@swarmdeck/bff/symbol-size';
import type { Disc } from '../geometry/boxes.ts';
import { shownY, worldX } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';

/** The selected device. Without a position it is selected in the list only. */
export interface SelectedSymbol {
  id: string;
  name: string;
  machine_type: MachineType;
  position?: Position | undefined;
  /** The role in the swarm whose members the map shows. */
  resource_type?: MemberRole;
  presence?: Presence;
  /** The accuracy of the position, in metres. */
  accuracy?: number | undefined;
}

export interface Scene {
  features: readonly MapFeature[];
  selected: SelectedSymbol | null;
  hoveredId: string | null;
  /** Colours by how long ago devices were heard, at this time of the server's clock; null: by machine type. */
  colourAt?: number | null;
  /** Shows names beside single devices, where there is space. */
  names?: boolean;
  /** Shows the value of this key beside single devices. */
  valueKey?: string | null;
  /** Colours by this value instead, between the smallest and the largest one. */
  valueRange?: ValueRange | null;
}

/** The smallest and the largest number on the map. */
export interface ValueRange {
  least: number;
  most: number;
}

type FeatureProperties = MapFeature['properties'];

/** The number of a device, or the mean of a cluster; undefined without one. */
export function numberOf(properties: FeatureProperties, key: string): number | undefined {
  if (properties.cluster) return properties.value?.mean;
  const value = properties.values?.[key]?.value;
  return typeof value === 'number' ? value : undefined;
}

/** Null without numbers. */
export function rangeOf(features: readonly MapFeature[], key: string): ValueRange | null {
  let [least, most] = [Infinity, -Infinity];
  for (const { properties } of features) {
    const { min, max } = (properties.cluster && properties.value) || {};
    const number = numberOf(properties, key) ?? Number.NaN;
    // NaN changes neither of them.
    if ((min ?? number) < least) least = min ?? number;
    if ((max ?? number) > most) most = max ?? number;
  }
  return least <= most ? { least, most } : null;
}

/** A symbol with its position in px within the frame. */
export interface Placed extends Disc {
  feature: MapFeature;
}

interface ProjectOptions {
  coordinates: readonly [number, number];
  frame: Frame;
  /** The horizontal centre of the visible part of the frame, in px. */
  middle: number;
  margin: number;
}

/**
 * The position of a device in a frame, in the copy of the world that is nearest to `middle`, so that it is drawn once.
 * Null if it is more than `margin` px outside the frame.
 */
export function project({
  coordinates: [longitude, latitude],
  frame: { scale, left, top, width, height },
  middle,
  margin,
}: ProjectOptions): { x: number; y: number } | null {
  const y = shownY(latitude) * scale - top;
  const inWorld = worldX(longitude) * scale - left;
  const x = inWorld + Math.round((middle - inWorld) / scale) * scale;
  const isInFrame = x >= -margin && x <= width + margin && y >= -margin && y <= height + margin;
  return isInFrame ? { x, y } : null;
}

export function placeFeatures(options: { features: readonly MapFeature[]; frame: Frame; middle: number }): Placed[] {
  const { features, frame, middle } = options;
  return features.flatMap((feature) => {
    const { properties, geometry } = feature;
    const radius = properties.cluster ? clusterRadius(properties.point_count) : singleRadius;
    const at = project({ coordinates: geometry.coordinates, frame, middle, margin: radius });
    return at ? [{ ...at, radius, feature }] : [];
  });
}

interface HitOptions<Symbol extends Disc> {
  placed: readonly Symbol[];
  x: number;
  y: number;
  /** The tolerance in px: larger for touch than for a mouse. */
  slack: number;
}

/** The symbol under the pointer: the one whose centre is nearest, the upper one on a tie. */
export function hit<Symbol extends Disc>({ placed, x, y, slack }: HitOptions<Symbol>): Symbol | null {
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

/** Animates symbols from one response to the next in straight lines, so that users see what has moved. */
import type { MapFeature } from '@swarmdeck/bff/contract';
import { prefersReducedMotion } from '../../../ui/browser/media.ts';
import { longitudeNear, worldX, worldY, wrapLongitude } from '../geometry/mercator.ts';

/** In px. Shorter moves are invisible, and longer ones are jumps. */
const LEAST = 0.5;
const MOST = 600;
/** In ms: the duration for a single move, and the maximum. For continuous moves it is the time between them. */
const ALONE = 120;
const LONGEST = 300;

type Place = MapFeature['geometry']['coordinates'];

interface Glide {
  /** The symbols at a time, in ms. */
  featuresAt(now: number): readonly MapFeature[];
  /** The end of the animation. */
  end: number;
}

/** The duration of a glide, depending on the time since the previous response, so that continuous moves are smooth. */
export function glideTime(sinceLast: number): number {
  return sinceLast <= LONGEST ? Math.max(ALONE, sinceLast) : ALONE;
}

interface GlideToOptions {
  next: readonly MapFeature[];
  shown: readonly MapFeature[];
  start: number;
  duration: number;
  /** The width of the world in px. */
  scale: number;
}

/** A glide from the shown symbols to those of the next response; null if nothing moves visibly. */
export function glideTo({ next, shown, start, duration, scale }: GlideToOptions): Glide | null {
  const before = new Map(shown.map(({ id, geometry }) => [id, geometry.coordinates]));
  const ways = new Map<MapFeature, { from: Place; to: Place }>();
  for (const feature of next) {
    const from = before.get(feature.id);
    const { coordinates } = feature.geometry;
    if (!from || (from[0] === coordinates[0] && from[1] === coordinates[1])) continue;
    const to: Place = [longitudeNear(coordinates[0], from[0]), coordinates[1]];
    const pixels = scale * Math.hypot(worldX(to[0]) - worldX(from[0]), worldY(to[1]) - worldY(from[1]));
    if (pixels >= LEAST && pixels <= MOST) ways.set(feature, { from, to });
  }
  if (ways.size === 0) return null;

  return {
    end: start + duration,
    featuresAt(now) {
      const part = Math.min(1, Math.max(0, (now - start) / duration));
      if (part === 1) return next;
      return next.map((feature) => {
        const way = ways.get(feature);
        if (!way) return feature;
        const between = (from: number, to: number) => from + (to - from) * part;
        const longitude = wrapLongitude(between(way.from[0], way.to[0]));
        const coordinates: Place = [longitude, between(way.from[1], way.to[1])];
        return { ...feature, geometry: { ...feature.geometry, coordinates } };
      });
    },
  };
}

/** The symbols of the last response, or on their way there. */
export function createMoving() {
  let features: readonly MapFeature[] = [];
  let glide: Glide | null = null;
  let last = 0;
  const at = (now: number) => glide?.featuresAt(now) ?? features;

  return {
    at,
    isOver: (now: number) => glide === null || now >= glide.end,
    /** A new response. `scale` is the width of the world in px. */
    to(next: readonly MapFeature[], { now, scale }: { now: number; scale: number }): void {
      const duration = glideTime(now - last);
      glide = prefersReducedMotion() ? null : glideTo({ next, shown: at(now), start: now, duration, scale });
      features = next;
      last = now;
    },
  };
}

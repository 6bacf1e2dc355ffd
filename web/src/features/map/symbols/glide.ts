/** How symbols get from one answer of the server to the next: straight, so that the eye sees what moved and whereto. */
import type { MapFeature } from '@swarmdeck/bff/contract';
import { longitudeNear, worldX, worldY, wrapLongitude } from '../geometry/mercator.ts';

/** Less is not seen, more is another place. In px. */
const LEAST = 0.5;
const MOST = 600;
/** Of a move that comes alone; of moves that keep coming, the time between them, up to the most. In ms. */
const ALONE = 120;
const LONGEST = 300;

type Place = MapFeature['geometry']['coordinates'];

export interface Glide {
  /** The symbols as they are at a time, in ms. */
  featuresAt(now: number): readonly MapFeature[];
  /** When all are where they belong. */
  end: number;
}

/** How long a glide takes, if the answer before came so long ago: moves that keep coming pass into one another. */
export function glideTime(sinceLast: number): number {
  return sinceLast <= LONGEST ? Math.max(ALONE, sinceLast) : ALONE;
}

/** From what is shown to the symbols of the next answer; null where nothing moves on the screen. */
export function glideTo({
  next,
  shown,
  start,
  duration,
  scale,
}: {
  next: readonly MapFeature[];
  shown: readonly MapFeature[];
  start: number;
  duration: number;
  /** Pixels of one world. */
  scale: number;
}): Glide | null {
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

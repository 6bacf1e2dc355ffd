import type { MapFeature } from '@swarmdeck/bff/contract';
import { prefersReducedMotion } from '../../../ui/media.ts';
import type { Glide, glideTime, glideTo } from './glide.ts';

type Features = readonly MapFeature[];

/** The symbols of the last response, or on their way there. The animation is loaded with the second response. */
export function createMoving() {
  let how: { glideTime: typeof glideTime; glideTo: typeof glideTo } | undefined;
  let features: Features = [];
  let glide: Glide | null = null;
  let last = 0;
  const at = (now: number) => glide?.featuresAt(now) ?? features;

  return {
    at,
    isOver: (now: number) => glide === null || now >= glide.end,
    /** A new response. `scale` is the width of the world in px. */
    to(next: Features, { now, scale }: { now: number; scale: number }): void {
      const shown = at(now);
      const duration = how?.glideTime(now - last) ?? 0;
      glide = (!prefersReducedMotion() && how?.glideTo({ next, shown, start: now, duration, scale })) || null;
      // If it cannot be loaded, symbols jump.
      if (features.length > 0 && !how)
        void import('./glide.ts').then((loaded) => (how = loaded)).catch(() => undefined);
      features = next;
      last = now;
    },
  };
}

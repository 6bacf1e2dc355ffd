import type { MapFeature } from '@swarmdeck/bff/contract';
import { prefersReducedMotion } from '../canvas/motion.ts';
import type { Glide, glideTime, glideTo } from './glide.ts';

type Features = readonly MapFeature[];

/** The symbols of the last answer, or on their way there. How they glide is loaded with the second answer. */
export function createMoving() {
  let how: { glideTime: typeof glideTime; glideTo: typeof glideTo } | undefined;
  let features: Features = [];
  let glide: Glide | null = null;
  let last = 0;
  const at = (now: number) => glide?.featuresAt(now) ?? features;

  return {
    at,
    isOver: (now: number) => glide === null || now >= glide.end,
    /** An answer has come, to a map whose world is `scale` px wide. */
    to(next: Features, { now, scale }: { now: number; scale: number }): void {
      const shown = at(now);
      const duration = how?.glideTime(now - last) ?? 0;
      glide = (!prefersReducedMotion() && how?.glideTo({ next, shown, start: now, duration, scale })) || null;
      // whoever cannot load it sees jumps
      if (features.length > 0 && !how)
        void import('./glide.ts').then((loaded) => (how = loaded)).catch(() => undefined);
      features = next;
      last = now;
    },
  };
}

import { Problem } from './problem.ts';

/** How many of something in a time, for each of many. A leaf. */
export interface Rate {
  /** Takes one of `who`'s; 0 when there was one, else in how many seconds there will be. */
  take(who: string): number;
}

/** A token bucket for each: `burst` at once, `perSecond` in the long run. The table of them is bounded. */
export function createRate(options: { perSecond: number; burst: number; now: () => Date }): Rate {
  const { perSecond, now } = options;
  // less than one would never be one
  const burst = Math.max(1, options.burst);
  const rememberedAtMost = 50_000;
  const buckets = new Map<string, { left: number; at: number }>();
  if (!Number.isFinite(perSecond)) return { take: () => 0 };

  return {
    take(who) {
      const at = now().getTime();
      let bucket = buckets.get(who);
      if (!bucket) {
        // the oldest entries are the least used: they come back full
        if (buckets.size >= rememberedAtMost) buckets.delete(buckets.keys().next().value!);
        bucket = { left: burst, at };
        buckets.set(who, bucket);
      }
      bucket.left = Math.min(burst, bucket.left + (Math.max(0, at - bucket.at) / 1000) * perSecond);
      bucket.at = at;
      if (bucket.left < 1) return Math.ceil((1 - bucket.left) / perSecond);
      bucket.left -= 1;
      return 0;
    },
  };
}

/** Throws `rate.exceeded` where there is none left, with the time to wait. */
export function requireTurn(rate: Rate, who: string): void {
  const wait = rate.take(who);
  if (wait > 0) throw new Problem('rate.exceeded', { headers: { 'retry-after': String(wait) } });
}

import { Problem } from '../problem.ts';
import { BoundedMap } from './bounded-map.ts';
import { memoryTable } from './part-limits.ts';

/** A rate limit per key. */
export interface Rate {
  /** Takes tokens of this key, all of a burst at most. Returns 0 if there were so many, otherwise the seconds until there are. */
  take(key: string, count?: number): number;
  /**
   * Takes more tokens for a request that has taken one, with it all of a burst at most. Returns 0 if there were so many, otherwise the seconds
   * until the same request gets both.
   */
  takeMore(key: string, count: number): number;
  /** Takes tokens also if there are not so many: the next `take` waits until there are some again. */
  charge(key: string, count: number): void;
  /** Gives the tokens of a successful `take` back. */
  giveBack(key: string, count?: number): void;
}

/** Tokens that are taken together with others. */
interface TokenRequest {
  rate: Rate;
  key: string;
  count?: number;
}

interface Bucket {
  left: number;
  at: number;
}

/**
 * A token bucket for each key: `burst` at once, `perSecond` in the long run. The table drops the bucket that was used
 * least recently, so that a flood of other keys does not refill a bucket that is in use. Keys are names and addresses
 * whose length the caller has checked: the table stays below 10 MB.
 */
export function createRate(options: { perSecond: number; burst: number; now: () => Date }): Rate {
  const { perSecond, now } = options;
  // With less than one token, no request would ever be allowed.
  const burst = Math.max(1, options.burst);
  const buckets = new BoundedMap<string, Bucket>(memoryTable.rates.most);
  if (!Number.isFinite(perSecond)) return { take: () => 0, takeMore: () => 0, charge: () => {}, giveBack: () => {} };

  function refilled(key: string): Bucket {
    const at = now().getTime();
    const bucket = buckets.get(key);
    if (!bucket) return { left: burst, at };
    const earned = (Math.max(0, at - bucket.at) / 1000) * perSecond;
    return { left: Math.min(burst, bucket.left + earned), at };
  }

  /** `before`: tokens that the same request has taken. */
  function takeFrom(key: string, count: number, before: number): number {
    const bucket = refilled(key);
    const total = Math.min(before + count, burst);
    const seconds = bucket.left < total - before ? Math.ceil((total - bucket.left) / perSecond) : 0;
    if (seconds === 0) bucket.left -= total - before;
    buckets.set(key, bucket);
    return seconds;
  }

  return {
    take: (key, count = 1) => takeFrom(key, count, 0),
    takeMore: (key, count) => takeFrom(key, count, 1),
    charge(key, count) {
      const bucket = refilled(key);
      buckets.set(key, { ...bucket, left: bucket.left - count });
    },
    giveBack(key, count = 1) {
      const bucket = buckets.get(key);
      if (bucket) bucket.left = Math.min(burst, bucket.left + count);
    },
  };
}

/** @throws Problem `rate.exceeded`, with the seconds to wait, if this key has not so many tokens left */
export function requireTokens(rate: Rate, key: string, count?: number): void {
  const seconds = rate.take(key, count);
  if (seconds > 0) throw tooFast(seconds);
}

/** Takes tokens as `takeMore` does. @throws Problem `rate.exceeded`, with the seconds to wait */
export function requireMore(rate: Rate, key: string, count: number): void {
  const seconds = rate.takeMore(key, count);
  if (seconds > 0) throw tooFast(seconds);
}

/** Takes all of these tokens, or none. @throws Problem `rate.exceeded`, with the seconds to wait */
export function requireAllTokens(requests: readonly TokenRequest[]): void {
  const seconds = takeAllTokens(requests);
  if (seconds > 0) throw tooFast(seconds);
}

/** Takes all of these tokens and returns 0, or none and returns the seconds to wait. */
export function takeAllTokens(requests: readonly TokenRequest[]): number {
  for (const [index, { rate, key, count }] of requests.entries()) {
    const seconds = rate.take(key, count);
    if (seconds === 0) continue;
    for (const taken of requests.slice(0, index)) taken.rate.giveBack(taken.key, taken.count);
    return seconds;
  }
  return 0;
}

/** `seconds`: to wait. */
export const tooFast = (seconds: number) =>
  new Problem('rate.exceeded', { headers: { 'retry-after': String(seconds) } });

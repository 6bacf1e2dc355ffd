/** The ranges of charts, and which of them fits the values that are there. */
import { dayMs, hourMs, minuteMs } from '@swarmdeck/bff/durations';
import type { Series, Span } from '../../data/values/series.ts';

/** In ms, shortest first. */
export const lengths = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 30 * dayMs, year: 365 * dayMs };
export type RangeName = keyof typeof lengths;
export const rangeNames = Object.keys(lengths) as RangeName[];

/** From the first to the last value of all series; undefined if there is none. */
export function extentOf(all: readonly Pick<Series, 'times'>[]): Span | undefined {
  let [from, to] = [Infinity, -Infinity];
  for (const { times } of all) {
    from = Math.min(from, times[0] ?? from);
    to = Math.max(to, times.at(-1) ?? to);
  }
  return from <= to ? [from, to] : undefined;
}

interface Fitting {
  /** The extent of what is known first. */
  extent: Span | undefined;
  /** The user's last choice. */
  longest: RangeName;
  now: number;
}

/** The shortest range that has all of these values. If they are all older than `longest`, one that has the last of them. */
export function fittingRange({ extent, longest, now }: Fitting): RangeName {
  if (!extent) return longest;
  const [from, to] = extent;
  const oldest = now - to > lengths[longest] ? to : from;
  // The values of a step begin with it, which may be before the range.
  const age = Math.min(now - oldest, Math.max(lengths[longest], now - to));
  return rangeNames.find((name) => lengths[name] >= age) ?? 'year';
}

/** In ms. Of values that are younger, there is nothing to see. */
const shortest = minuteMs;
const marginPart = 0.05;

/** The start of a range that ends now. Where the first value is younger than an hour, it is just before that. */
export function startOf({ extent, now, length }: { extent: Span | undefined; now: number; length: number }): number {
  const age = extent && now - extent[0];
  if (age === undefined || age >= hourMs) return now - length;
  return now - Math.min(length, Math.max(shortest, age * (1 + marginPart)));
}

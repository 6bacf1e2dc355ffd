/** Imports nothing, because threads use it. */

/** How many values were up to each bound, and how many above all of them. Plain data, which a thread can send. */
export interface Histogram {
  bounds: readonly number[];
  /** One more than `bounds`. */
  counts: number[];
  sum: number;
}

/** 1 ms to 5 s. */
const secondsBounds = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createHistogram(bounds: readonly number[] = secondsBounds): Histogram {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

export function observe(histogram: Histogram, value: number): void {
  const { bounds, counts } = histogram;
  let index = 0;
  while (index < bounds.length && value > bounds[index]!) index += 1;
  counts[index]! += 1;
  histogram.sum += value;
}

/** What devices said under one key, over time. */
import type { Message } from '@swarmdeck/bff/contract';
import { hourMs } from '@swarmdeck/bff/durations';
import { valuesIn } from '@swarmdeck/bff/payload-values';

export type Value = number | string | boolean;

/** One key of one device. The columns have the same length. */
export interface Series {
  id: string;
  resource_id: string;
  /** The path in the payload, such as `battery.volts`; `value` if the payload itself is the value. */
  key: string;
  /** Numbers are a line. Texts, and what is true or false, are bands of states. */
  kind: 'number' | 'state';
  /** In ms, oldest first. */
  times: number[];
  /** The mean, if they are steps. */
  values: Value[];
  /** The smallest and the largest number of each step, and how many numbers it has. */
  least?: number[];
  most?: number[];
  counts?: number[];
  /** The length of the steps in ms; null: each value as it was sent. */
  step: number | null;
}

/** What is read of a message. */
type SentValues = Pick<Message, 'from' | 'sent_at' | 'payload' | 'encoding'>;

const kindOf = (value: Value) => (typeof value === 'number' ? 'number' : 'state');
export const seriesId = (resource_id: string, kind: Series['kind'], key: string) => `${resource_id} ${kind} ${key}`;

/** The series of some messages, oldest first. A key that was a number and a text has one of each kind. */
export function seriesOf(messages: readonly SentValues[]): Series[] {
  const found = new Map<string, Series>();
  for (const { from, sent_at, payload, encoding } of messages) {
    if (encoding !== undefined && encoding !== 'text') continue;
    const said = valuesIn(payload, { sentAt: Date.parse(sent_at), byTime: false });
    for (const [key, value] of said?.values ?? []) {
      const kind = kindOf(value);
      const id = seriesId(from, kind, key);
      let series = found.get(id);
      if (!series) found.set(id, (series = { id, resource_id: from, key, kind, times: [], values: [], step: null }));
      series.times.push(said!.at);
      series.values.push(value);
    }
  }
  return [...found.values()];
}

/**
 * Returns the series with newer values. Series with new keys are added. What is not after `end` is in the steps of a series already. Of the
 * values that were sent at the same time, one is there: the stream brings what was sent to several swarms once for each.
 */
export function withNewer(before: readonly Series[], newer: readonly Series[], end = -Infinity): Series[] {
  const tails = new Map(newer.map((series) => [series.id, series]));
  const longer = before.map((series) => {
    const tail = tails.get(series.id);
    tails.delete(series.id);
    if (!tail) return series;
    return joined(tail.counts ? asSteps(series) : series, tail, series.step === null ? -Infinity : end);
  });
  return [...longer, ...tails.values()];
}

/** Each value is a step of its own, unless they are steps already. */
function asSteps(series: Series): Series {
  const { counts, values } = series;
  const numbers = values as number[];
  return counts ? series : { ...series, least: numbers, most: numbers, counts: numbers.map(() => 1) };
}

function joined(series: Series, tail: Series, end: number): Series {
  const start = firstAfter(tail.times, end);
  if (start === tail.times.length) return series;
  // What is older than all of the tail stays as it is.
  const older = firstAfter(series.times, tail.times[start]! - 1);
  if (older === series.times.length && isInOrder(tail.times)) return appended(series, tail, start);
  const known = new Set(series.times.slice(older));
  const added = placesOf(tail, start).filter(({ at }) => !known.has(at));
  if (added.length === 0) return series;
  const newest = [...placesOf(series, older), ...added].toSorted((a, b) => a.at - b.at);
  function longer<Item>(column: readonly Item[], itemOf: (place: Place) => Item): Item[] {
    return column.slice(0, older).concat(newest.map(itemOf));
  }
  const { times, values, least, most, counts } = series;
  const number = ({ of, index }: Place) => of.values[index] as number;
  return {
    ...series,
    times: longer(times, ({ at }) => at),
    values: longer(values, ({ of, index }) => of.values[index]!),
    ...(least && { least: longer(least, (place) => place.of.least?.[place.index] ?? number(place)) }),
    ...(most && { most: longer(most, (place) => place.of.most?.[place.index] ?? number(place)) }),
    ...(counts && { counts: longer(counts, ({ of, index }) => of.counts?.[index] ?? 1) }),
  };
}

const isInOrder = (times: readonly number[]) => times.every((at, index) => index === 0 || times[index - 1]! <= at);

/** For a tail that is newer than the series: comparing 20,000 values, as charts have that stay open, would take a long frame. */
function appended(series: Series, tail: Series, start: number): Series {
  const { times, values, least, most, counts } = series;
  const end = tail.values.slice(start);
  const numbers = end as number[];
  return {
    ...series,
    times: times.concat(tail.times.slice(start)),
    values: values.concat(end),
    ...(least && { least: least.concat(tail.least?.slice(start) ?? numbers) }),
    ...(most && { most: most.concat(tail.most?.slice(start) ?? numbers) }),
    ...(counts && { counts: counts.concat(tail.counts?.slice(start) ?? numbers.map(() => 1)) }),
  };
}

/** A value of a series. */
interface Place {
  of: Series;
  index: number;
  at: number;
}

const placesOf = (of: Series, start: number): Place[] =>
  of.times.slice(start).map((at, index) => ({ of, index: start + index, at }));

/** The index of the first time after `at`, or their number. The times are in order. */
export function firstAfter(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * A longer time without a value is a gap, in ms. Of numbers: five times the usual distance, or one missing step. A state is stored
 * when it changes, and in each hour in which it was said.
 */
export function longestPause({ kind, times, step }: Pick<Series, 'kind' | 'times' | 'step'>): number {
  if (kind === 'state') return 2 * Math.max(hourMs, step ?? 0);
  if (step !== null) return 1.5 * step;
  let pause = pauses.get(times);
  if (pause === undefined) pauses.set(times, (pause = Math.max(leastPause, 5 * usualDistance(times))));
  return pause;
}
/** A chart asks several times. */
const pauses = new WeakMap<readonly number[], number>();

/** The median of the newest ones. */
function usualDistance(times: readonly number[]): number {
  const newest = times.slice(-200);
  const distances = Float64Array.from(newest.slice(1), (time, index) => time - newest[index]!).sort();
  return distances[distances.length >> 1] ?? 0;
}
const leastPause = 10_000;

/** The value at a time: the last one before it, unless a gap is between. The index in the series, or -1. */
export function indexAt(series: Series, at: number): number {
  const index = firstAfter(series.times, at) - 1;
  return index >= 0 && at - series.times[index]! <= longestPause(series) ? index : -1;
}

/** What a series says within some time. */
interface Summary {
  count: number;
  /** Only a series of numbers has these three. */
  least?: number;
  mean?: number;
  most?: number;
}

export function summaryOf(series: Series, [from, to]: Span): Summary {
  const { times, values, least = values as number[], most = values as number[], counts, kind } = series;
  const [start, end] = [firstAfter(times, from - 1), firstAfter(times, to)];
  if (kind === 'state' || start === end) return { count: end - start };
  let [count, low, high] = [0, Infinity, -Infinity];
  for (let index = start; index < end; index++) {
    count += counts?.[index] ?? 1;
    low = Math.min(low, least[index]!);
    high = Math.max(high, most[index]!);
  }
  let mean = 0;
  // The sum of large numbers would be infinite. A step counts as often as it has numbers.
  for (let index = start; index < end; index++) mean += (values[index] as number) * ((counts?.[index] ?? 1) / count);
  return { count, least: low, mean, most: high };
}

/** A mean with as many digits as the numbers that it comes from: those of a thermometer with one digit have one. */
export function asPrecise(value: Value, series: Series): Value {
  if (typeof value !== 'number') return value;
  let digits = digitsOfSeries.get(series);
  if (digits === undefined) digitsOfSeries.set(series, (digits = mostDigitsIn(series)));
  return digits > mostDigits ? value : Number(value.toFixed(digits));
}
/** Texts of numbers are slow to make, and a chart asks several times. */
const digitsOfSeries = new WeakMap<Series, number>();
const someValues = 25;
/** Numbers with more were calculated, or are very small. */
const mostDigits = 6;

function mostDigitsIn({ values, least = values as number[], most = values as number[] }: Series): number {
  return Math.max(0, ...[...least.slice(-someValues), ...most.slice(-someValues)].map(digitsOf));
}

/** After the decimal point. */
function digitsOf(value: Value): number {
  const [, digits = ''] = String(value).split('.');
  return digits.includes('e') || (Math.abs(Number(value)) < 10 ** -mostDigits && value !== 0)
    ? Infinity
    : digits.length;
}

/** A part of the time axis, in ms. */
export type Span = readonly [from: number, to: number];

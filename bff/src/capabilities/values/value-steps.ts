/** Points of numbers are summarised into steps, and changes of states are thinned out. */
import { hourMs } from '../../core/limits/durations.ts';
import type { Value } from '../../core/store/last-values.ts';

/** In seconds: the steps into which points are summarised, and those into which these are. */
export const [stepOfPoints, longestStep] = [300, 3600];

/** A point, or a step that begins at `at` (in ms). */
export interface Sample {
  at: number;
  first: number;
  last: number;
  min: number;
  max: number;
  mean: number;
  count: number;
}

export type State = Exclude<Value, number>;
export type Change = [at: number, value: State];

/** By key, in the order of their times. */
export interface SeriesByKey {
  numbers: Map<string, Sample[]>;
  states: Map<string, Change[]>;
}

export const emptySeries = (): SeriesByKey => ({ numbers: new Map(), states: new Map() });

const pointOf = (at: number, value: number): Sample => ({
  at,
  first: value,
  last: value,
  min: value,
  max: value,
  mean: value,
  count: 1,
});

/** The list of a key, which may be a new one. */
export function listOf<T>(all: Map<string, T[]>, key: string): T[] {
  let list = all.get(key);
  if (!list) all.set(key, (list = []));
  return list;
}

/** The values of some messages. */
export function seriesOf(
  points: readonly { at: number; values: readonly (readonly [key: string, value: Value])[] }[],
): SeriesByKey {
  const series = emptySeries();
  const { numbers, states } = series;
  for (const { at, values } of points)
    for (const [key, value] of values) {
      if (typeof value === 'number') listOf(numbers, key).push(pointOf(at, value));
      else listOf(states, key).push([at, value]);
    }
  sortSeries(series);
  return series;
}

/** Seven digits are more than a sensor has, and half of the bytes. The bounds hold for it too. */
export const shortMean = ({ mean, min, max }: Sample) => Math.min(max, Math.max(min, Number(mean.toPrecision(7))));

/** The samples in steps of so many ms. Both are in the order of their times. */
function inSteps(samples: readonly Sample[], stepMs: number): Sample[] {
  const steps: Sample[] = [];
  let step: Sample | undefined;
  for (const sample of samples) {
    const at = Math.floor(sample.at / stepMs) * stepMs;
    if (step?.at === at) {
      addTo(step, sample);
      step.last = sample.last;
    } else steps.push((step = { ...sample, at }));
  }
  for (const each of steps) each.mean = shortMean(each);
  return steps;
}

/** Adds a sample to a step, all but its `first` and `last`. */
export function addTo(step: Sample, { mean, min, max, count: added }: Omit<Sample, 'at' | 'first' | 'last'>): void {
  const count = step.count + added;
  // The sum of two great numbers would be Infinity.
  step.mean = step.mean * (step.count / count) + mean * (added / count);
  step.count = count;
  if (min < step.min) step.min = min;
  if (max > step.max) step.max = max;
}

/** The changes of a state, the first time of each `everyMs`, and the last one of all. At most `most` in this time. */
export function changesOf(
  states: readonly Change[],
  { most = Infinity, everyMs = hourMs }: { most?: number; everyMs?: number } = {},
): Change[] {
  const changes: Change[] = [];
  let [window, count] = [Number.NaN, 0];
  for (const [index, state] of states.entries()) {
    const windowOfState = Math.floor(state[0] / everyMs);
    const isFirst = windowOfState !== window;
    if (isFirst) [window, count] = [windowOfState, 0];
    const isChange = state[1] !== changes.at(-1)?.[1];
    const isLast = index === states.length - 1;
    if (!isFirst && !isLast && !(isChange && count < most)) continue;
    changes.push(state);
    count += 1;
  }
  return changes;
}

export const samplesIn = ({ numbers, states }: SeriesByKey): number =>
  [...numbers.values(), ...states.values()].reduce((sum, list) => sum + list.length, 0);

/** By time; those of one time stay in their order. */
export function sortSeries({ numbers, states }: SeriesByKey): void {
  for (const samples of numbers.values()) sortIfNeeded(samples, ({ at }) => at);
  for (const changes of states.values()) sortIfNeeded(changes, ([at]) => at);
}

export function sortIfNeeded<T>(list: T[], timeOf: (each: T) => number): void {
  for (let index = 1; index < list.length; index++)
    if (timeOf(list[index]!) < timeOf(list[index - 1]!)) {
      list.sort((a, b) => timeOf(a) - timeOf(b));
      return;
    }
}

/** Returns the series in steps of so many ms. */
export function seriesInSteps(
  { numbers, states }: SeriesByKey,
  { stepMs, statesOfHour }: { stepMs: number; statesOfHour: number },
): SeriesByKey {
  return {
    numbers: new Map([...numbers].map(([key, samples]) => [key, inSteps(samples, stepMs)])),
    states: new Map([...states].map(([key, changes]) => [key, changesOf(changes, { most: statesOfHour })])),
  };
}

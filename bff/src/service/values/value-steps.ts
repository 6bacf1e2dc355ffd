/** Points of numbers are summarised into steps, and changes of states are thinned out. */
import type { Value } from '../../store/last-values.ts';

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

/** By key, in the order of their times. */
export interface Contents {
  numbers: Map<string, Sample[]>;
  states: Map<string, [at: number, value: State][]>;
}

export const emptyContents = (): Contents => ({ numbers: new Map(), states: new Map() });

export const pointOf = (at: number, value: number): Sample => ({
  at,
  first: value,
  last: value,
  min: value,
  max: value,
  mean: value,
  count: 1,
});

/** Seven digits are more than a sensor has, and half of the bytes. The bounds hold for it too. */
const shortMean = ({ mean, min, max }: Sample) => Math.min(max, Math.max(min, Number(mean.toPrecision(7))));

/** The samples in steps of so many ms. Both are in the order of their times. */
export function inSteps(samples: readonly Sample[], stepMs: number): Sample[] {
  const steps: Sample[] = [];
  let step: Sample | undefined;
  for (const sample of samples) {
    const at = Math.floor(sample.at / stepMs) * stepMs;
    if (step?.at === at) addTo(step, sample);
    else steps.push((step = { ...sample, at }));
  }
  for (const each of steps) each.mean = shortMean(each);
  return steps;
}

function addTo(step: Sample, sample: Sample): void {
  const count = step.count + sample.count;
  // The sum of two great numbers would be Infinity.
  step.mean = step.mean * (step.count / count) + sample.mean * (sample.count / count);
  step.count = count;
  step.last = sample.last;
  if (sample.min < step.min) step.min = sample.min;
  if (sample.max > step.max) step.max = sample.max;
}

const hourMs = 3_600_000;

/** The changes of a state, and the first time of each hour and the last one of all. At most `most` in an hour. */
export function changesOf(
  states: readonly [at: number, value: State][],
  most = Infinity,
): [at: number, value: State][] {
  const changes: [at: number, value: State][] = [];
  let [hour, count] = [Number.NaN, 0];
  for (const [index, state] of states.entries()) {
    const hourOf = Math.floor(state[0] / hourMs);
    const isFirst = hourOf !== hour;
    if (isFirst) [hour, count] = [hourOf, 0];
    const isChange = state[1] !== changes.at(-1)?.[1];
    const isLast = index === states.length - 1;
    if (!isFirst && !isLast && !(isChange && count < most)) continue;
    changes.push(state);
    count += 1;
  }
  return changes;
}

/** Adds what `from` has, and sorts what is not in order afterwards. */
export function addContents(to: Contents, from: Contents): void {
  for (const [key, samples] of from.numbers) append(to.numbers, key, samples);
  for (const [key, states] of from.states) append(to.states, key, states);
}

function append<T>(all: Map<string, T[]>, key: string, some: readonly T[]): void {
  const before = all.get(key);
  if (before) for (const each of some) before.push(each);
  else all.set(key, [...some]);
}

/** By time; those of one time stay in their order. */
export function sortContents({ numbers, states }: Contents): void {
  for (const samples of numbers.values()) sortIfNeeded(samples, ({ at }) => at);
  for (const changes of states.values()) sortIfNeeded(changes, ([at]) => at);
}

function sortIfNeeded<T>(list: T[], timeOf: (each: T) => number): void {
  for (let index = 1; index < list.length; index++)
    if (timeOf(list[index]!) < timeOf(list[index - 1]!)) {
      list.sort((a, b) => timeOf(a) - timeOf(b));
      return;
    }
}

/** The same in steps of so many ms. */
export function contentsInSteps(
  { numbers, states }: Contents,
  { stepMs, statesOfHour }: { stepMs: number; statesOfHour: number },
): Contents {
  return {
    numbers: new Map([...numbers].map(([key, samples]) => [key, inSteps(samples, stepMs)])),
    states: new Map([...states].map(([key, changes]) => [key, changesOf(changes, statesOfHour)])),
  };
}

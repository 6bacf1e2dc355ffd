/**
 * Kept values as they are stored. New points of a device are appended to a text (`device_values.open`). When that is long, they are
 * packed into a block: columns of numbers as JSON, compressed. A year of a series has some hundred kB as JSON.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Value } from '../../store/last-values.ts';
import { emptyContents, pointOf, sortContents, type Contents, type Sample, type State } from './value-steps.ts';

/** A message's values in the text of the newest points. `audience`: the number of the swarms that it went to. */
export interface OpenPoint {
  at: number;
  audience: number;
  values: readonly (readonly [key: string, value: Value])[];
}

/** With a comma behind it, so that texts are appended to each other. */
export const writeOpen = ({ at, audience, values }: OpenPoint): string =>
  `${JSON.stringify([at, audience, ...values.flat()])},`;

export function readOpen(open: string): OpenPoint[] {
  if (open === '') return [];
  const rows = JSON.parse(`[${open.slice(0, -1)}]`) as [number, number, ...Value[]][];
  return rows.map(([at, audience, ...flat]) => {
    const values: [string, Value][] = [];
    for (let index = 0; index < flat.length; index += 2) values.push([flat[index] as string, flat[index + 1]!]);
    return { at, audience, values };
  });
}

/** The values of some messages, by key. */
export function contentsOf(points: readonly Pick<OpenPoint, 'at' | 'values'>[]): Contents {
  const contents = emptyContents();
  const { numbers, states } = contents;
  const listOf = <T>(all: Map<string, T[]>, key: string): T[] => {
    let list = all.get(key);
    if (!list) all.set(key, (list = []));
    return list;
  };
  for (const { at, values } of points)
    for (const [key, value] of values) {
      if (typeof value === 'number') listOf(numbers, key).push(pointOf(at, value));
      else listOf(states, key).push([at, value]);
    }
  sortContents(contents);
  return contents;
}

/** Times are differences, in ms or in steps. Of a point, only `last` is stored. */
interface Stored {
  n: [
    key: string,
    times: number[],
    last: number[],
    ...rest: [first: number[], min: number[], max: number[], mean: number[], count: number[]] | [],
  ][];
  s: [key: string, times: number[], values: State[]][];
}

const differences = (times: readonly number[], unit: number) =>
  times.map((time, index) => (time - (index === 0 ? 0 : times[index - 1]!)) / unit);

function sums(all: readonly number[], unit: number): number[] {
  let sum = 0;
  return all.map((each) => (sum += each) * unit);
}

/** `step`: in seconds; 0 of points. */
export function packBlock({ numbers, states }: Contents, step: number): Uint8Array {
  const unit = step === 0 ? 1 : step * 1000;
  const stored: Stored = {
    n: [...numbers].map(([key, samples]) => {
      const column = (name: keyof Sample) => samples.map((sample) => sample[name]);
      const times = differences(column('at'), unit);
      if (step === 0) return [key, times, column('last')];
      return [
        key,
        times,
        column('last'),
        column('first'),
        column('min'),
        column('max'),
        column('mean'),
        column('count'),
      ];
    }),
    s: [...states].map(([key, changes]) => [
      key,
      differences(
        changes.map(([at]) => at),
        1,
      ),
      changes.map(([, value]) => value),
    ]),
  };
  // With a buffer of its own, which can be moved to another thread.
  return Uint8Array.from(deflateRawSync(JSON.stringify(stored)));
}

/** `isWanted`: of a key. */
export function unpackBlock(
  content: Uint8Array,
  step: number,
  isWanted: (key: string) => boolean = () => true,
): Contents {
  const unit = step === 0 ? 1 : step * 1000;
  const { n, s } = JSON.parse(inflateRawSync(content).toString()) as Stored;
  const contents = emptyContents();
  for (const [key, times, last, ...rest] of n) {
    if (!isWanted(key)) continue;
    const [first = last, min = last, max = last, mean = last, count] = rest;
    const samples = sums(times, unit).map((at, index) => ({
      at,
      first: first[index]!,
      last: last[index]!,
      min: min[index]!,
      max: max[index]!,
      mean: mean[index]!,
      count: count?.[index] ?? 1,
    }));
    contents.numbers.set(key, samples);
  }
  for (const [key, times, values] of s)
    if (isWanted(key))
      contents.states.set(
        key,
        sums(times, 1).map((at, index) => [at, values[index]!]),
      );
  return contents;
}

/** The first and the last time of contents that are not empty, in ms. */
export function boundsOf({ numbers, states }: Contents): { starts: number; ends: number } {
  let [starts, ends] = [Infinity, -Infinity];
  const note = (first: number, last: number) => {
    starts = Math.min(starts, first);
    ends = Math.max(ends, last);
  };
  for (const samples of numbers.values()) note(samples[0]!.at, samples.at(-1)!.at);
  for (const changes of states.values()) note(changes[0]![0], changes.at(-1)![0]);
  return { starts, ends };
}

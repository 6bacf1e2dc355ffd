/**
 * Recorded values as they are stored. New points of a device are appended to a text (`device_values.open`). When that is long, they are
 * packed into a block: columns of numbers as JSON, compressed. A year of a series has some hundred kB as JSON.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { valueLimits } from './limits.ts';
import type { Value } from '../../core/store/last-values.ts';
import { emptySeries, type Sample, type SeriesByKey, type State } from './value-steps.ts';

/** A message's values in the text of the newest points. `audience`: the number of the swarms that it went to. */
interface OpenPoint {
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

/** In ms: the time of a block with steps of so many seconds. */
export const lengthOfBlock = (step: number): number => valueLimits.stepsInRow * step * 1000;

/**
 * The number of the block with such steps that has this time: a read unpacks whole blocks, and no read may take long. Older versions made blocks of a
 * day and of a week or month, whose numbers are those of other times.
 */
export const blockKeyOf = (at: number, step: number): number => Math.floor(at / lengthOfBlock(step));

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
export function packBlock({ numbers, states }: SeriesByKey, step: number): Uint8Array {
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

/** The columns of a number, with the times in ms. `count` is undefined for points, of which all other columns are one. */
export type NumberColumns = Record<'times' | Exclude<keyof Sample, 'at' | 'count'>, readonly number[]> & {
  count: readonly number[] | undefined;
};

interface StateColumns {
  times: readonly number[];
  values: readonly State[];
}

/** The columns of a block by key. A read makes no object for each of its samples. */
export function columnsOf(
  content: Uint8Array,
  step: number,
): { numbers: [key: string, columns: NumberColumns][]; states: [key: string, columns: StateColumns][] } {
  const unit = step === 0 ? 1 : step * 1000;
  const { n, s } = JSON.parse(inflateRawSync(content).toString()) as Stored;
  return {
    numbers: n.map(([key, times, last, ...rest]) => {
      const [first = last, min = last, max = last, mean = last, count] = rest;
      return [key, { times: sums(times, unit), first, last, min, max, mean, count }];
    }),
    states: s.map(([key, times, values]) => [key, { times: sums(times, 1), values }]),
  };
}

export function unpackBlock(content: Uint8Array, step: number): SeriesByKey {
  const { numbers, states } = columnsOf(content, step);
  const series = emptySeries();
  for (const [key, { times, first, last, min, max, mean, count }] of numbers)
    series.numbers.set(
      key,
      times.map((at, index) => ({
        at,
        first: first[index]!,
        last: last[index]!,
        min: min[index]!,
        max: max[index]!,
        mean: mean[index]!,
        count: count?.[index] ?? 1,
      })),
    );
  for (const [key, { times, values }] of states)
    series.states.set(
      key,
      times.map((at, index) => [at, values[index]!]),
    );
  return series;
}

/** The first and the last time of series that are not empty, in ms. */
export function boundsOf({ numbers, states }: SeriesByKey): { starts: number; ends: number } {
  let [starts, ends] = [Infinity, -Infinity];
  const note = (first: number, last: number) => {
    starts = Math.min(starts, first);
    ends = Math.max(ends, last);
  };
  for (const samples of numbers.values()) note(samples[0]!.at, samples.at(-1)!.at);
  for (const changes of states.values()) note(changes[0]![0], changes.at(-1)![0]);
  return { starts, ends };
}

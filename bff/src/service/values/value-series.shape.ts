/** The kept values of a device as series or as lines of a file, made where they are read. */
import type { ValueSeries } from '../../contract.ts';
import { valueLimits } from '../../limits/part-limits.ts';
import { defineShape } from '../../store/shape.ts';
import type { Said } from './said-values.ts';
import { contentsOf, readOpen, unpackBlock } from './value-blocks.ts';
import {
  addContents,
  changesOf,
  emptyContents,
  inSteps,
  sortContents,
  type Contents,
  type Sample,
  type State,
} from './value-steps.ts';

/** The first row is the device; the others are its blocks. Numbers and texts of the other kind are null. */
export interface KeptRow {
  step: number | null;
  audience: number | null;
  content: Uint8Array | null;
  open: string | null;
  audiences: string | null;
  /** Rows of messages up to this one are kept. */
  cursor: number | null;
}

/** What is read of a device. Times in ms. */
export interface WantedSeries {
  /** Undefined: all keys. */
  keys?: readonly string[] | undefined;
  from: number;
  to: number;
  /** Undefined for the owner, who sees all. Else what went to these swarms, since a time of each. */
  swarms?: readonly { id: string; since: number }[] | undefined;
  /** In seconds: the shortest step. */
  leastStep: number;
  /** Messages that may not be kept yet. */
  said: readonly Said[];
}

export interface SeriesText {
  /** In seconds; 0: points. */
  step: number;
  /** The series as a JSON array. */
  bytes: Uint8Array;
}

/** In seconds. Each is a multiple of one before that is kept. */
const stepsOfAnswers = [1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400];
const { pointsOfSeries } = valueLimits;

export const valueSeries = defineShape(
  new URL('./value-series.shape.ts', import.meta.url),
  'valueSeries',
  (rows: readonly KeptRow[], wanted: WantedSeries): SeriesText[] => {
    const { contents, step: kept } = contentsIn(rows, wanted);
    const step = stepFor(contents, Math.max(kept, wanted.leastStep));
    const series = [
      ...[...contents.numbers].map(([key, samples]) => numberSeries(key, samples, step)),
      ...[...contents.states].map(([key, states]) => stateSeries(key, states)),
    ];
    series.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.kind < b.kind ? -1 : 1));
    return [{ step, bytes: bytesOf(JSON.stringify(series)) }];
  },
);

/** A line of a file. A state, and a point, has only a value. */
export type ValueCells = [at: string, key: string, ...values: string[]];
export interface LinesText {
  cells: ValueCells[];
}

/** The same as lines, as they are kept. */
export const valueLines = defineShape(
  new URL('./value-series.shape.ts', import.meta.url),
  'valueLines',
  (rows: readonly KeptRow[], wanted: WantedSeries): LinesText[] => {
    const { numbers, states } = contentsIn(rows, wanted).contents;
    const isStarting = (at: number) => at >= wanted.from;
    const timeOf = (at: number) => new Date(at).toISOString();
    const ofNumbers = [...numbers].flatMap(([key, samples]) =>
      samples
        .filter(({ at }) => isStarting(at))
        .map(({ at, mean, first, last, min, max, count }): ValueCells => {
          const step = count > 1 ? [first, last, min, max, count].map(String) : ['', '', '', '', ''];
          return [timeOf(at), key, String(mean), ...step];
        }),
    );
    const ofStates = [...states].flatMap(([key, changes]) =>
      changes
        .filter(([at]) => isStarting(at))
        .map(([at, value]): ValueCells => [timeOf(at), key, String(value), '', '', '', '', '']),
    );
    return [{ cells: [...ofNumbers, ...ofStates] }];
  },
);

/** What a reader may see of these rows, in the order of the times. `step`: the longest one of them. */
function contentsIn(rows: readonly KeptRow[], wanted: WantedSeries): { contents: Contents; step: number } {
  const { keys, from, to } = wanted;
  const [device, ...blocks] = rows;
  const contents = emptyContents();
  let longest = 0;
  const isWanted = keys === undefined ? () => true : (key: string) => keys.includes(key);
  const add = (some: Contents, step: number, since: number) => {
    const seen = within(some, { from: Math.max(from - step * 1000 + 1, since), to });
    if (seen.numbers.size > 0) longest = Math.max(longest, step);
    addContents(contents, seen);
  };
  const audiences = JSON.parse(device?.audiences ?? '[]') as string[][];
  const sinceOf = (audience: number) => sinceOfSwarms(wanted, audience === 0 ? [] : (audiences[audience - 1] ?? []));
  for (const { step, audience, content } of blocks) {
    const since = sinceOf(audience!);
    if (since < Infinity) add(unpackBlock(content!, step!, isWanted), step!, since);
  }
  for (const point of readOpen(device?.open ?? ''))
    add(contentsOf([onlyOf(point, isWanted)]), 0, sinceOf(point.audience));
  for (const each of wanted.said)
    if (each.seq > (device?.cursor ?? 0))
      add(contentsOf([onlyOf(each, isWanted)]), 0, sinceOfSwarms(wanted, each.swarms));
  sortContents(contents);
  return { contents, step: longest };
}

const onlyOf = ({ at, values }: Pick<Said, 'at' | 'values'>, isWanted: (key: string) => boolean) => ({
  at,
  values: values.filter(([key]) => isWanted(key)),
});

/** Since when the reader sees what went to these swarms; Infinity: never. */
function sinceOfSwarms({ swarms }: WantedSeries, sentTo: readonly string[]): number {
  if (!swarms) return -Infinity;
  return swarms.reduce((least, { id, since }) => (sentTo.includes(id) ? Math.min(least, since) : least), Infinity);
}

function within({ numbers, states }: Contents, { from, to }: { from: number; to: number }): Contents {
  const isIn = (at: number) => at >= from && at <= to;
  const seen = emptyContents();
  for (const [key, samples] of numbers) {
    const some = samples.filter(({ at }) => isIn(at));
    if (some.length > 0) seen.numbers.set(key, some);
  }
  for (const [key, changes] of states) {
    const some = changes.filter(([at]) => isIn(at));
    if (some.length > 0) seen.states.set(key, some);
  }
  return seen;
}

/** The shortest step, in seconds, with which no series has too many points; 0 if there are few. */
function stepFor({ numbers }: Contents, least: number): number {
  const all = [...numbers.values()];
  if (least === 0 && all.every(({ length }) => length <= pointsOfSeries)) return 0;
  const fits = (step: number) => all.every((samples) => stepsIn(samples, step * 1000) <= pointsOfSeries);
  return stepsOfAnswers.find((step) => step >= least && fits(step)) ?? stepsOfAnswers.at(-1)!;
}

function stepsIn(samples: readonly Sample[], stepMs: number): number {
  let [count, last] = [0, Number.NaN];
  for (const { at } of samples) {
    const step = Math.floor(at / stepMs);
    if (step !== last) count += 1;
    last = step;
  }
  return count;
}

function numberSeries(key: string, samples: readonly Sample[], step: number): ValueSeries {
  const shown = step === 0 ? samples : inSteps(samples, step * 1000);
  const column = (name: keyof Sample) => shown.map((sample) => sample[name]);
  const series = { key, kind: 'number' as const, times: column('at'), values: column('mean') };
  if (step === 0) return series;
  const [first, last, min, max, count] = (['first', 'last', 'min', 'max', 'count'] as const).map(column);
  return { ...series, first, last, min, max, count };
}

function stateSeries(key: string, states: readonly [at: number, value: State][]): ValueSeries {
  let shown = changesOf(states);
  for (const most of [20, 5, 1]) if (shown.length > pointsOfSeries) shown = changesOf(states, most);
  shown = shown.slice(-pointsOfSeries);
  return { key, kind: 'state', times: shown.map(([at]) => at), values: shown.map(([, value]) => value) };
}

/** With a buffer of its own, which is moved to the main thread. */
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));

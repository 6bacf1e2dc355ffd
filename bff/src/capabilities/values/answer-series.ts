/** The series of an answer or of a part of it, collected block by block: what is held grows with the answer, not with what is read. */
import { hourMs } from '../../core/limits/durations.ts';
import { valueLimits } from './limits.ts';
import type { Value, ValueKind } from '../../core/store/last-values.ts';
import type { NumberColumns } from './value-blocks.ts';
import {
  addTo,
  changesOf,
  listOf,
  shortMean,
  sortIfNeeded,
  type Change,
  type Sample,
  type State,
} from './value-steps.ts';

/** In seconds. Each is a multiple of the ones before it. */
export const stepsOfAnswers = [1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400];
const { pointsOfSeries, seriesOfAnswer } = valueLimits;

/** The times (in ms) of its first and last sample. */
type Step = Sample & { firstAt: number; lastAt: number };

/** Steps in which a part of an answer ends, by key. They go on in the next part. */
export type BegunSteps = readonly (readonly [key: string, step: Step])[];

/** Points, as long as there are few; then steps by their beginnings. */
interface NumberSeries {
  points: [at: number, value: number][];
  steps: Map<number, Step>;
  /** The step of the last sample: the next one is often in it, too. */
  recent: Step | undefined;
}

/** The columns of a series in the order of an answer: times, values, and of steps of numbers `first`, `last`, `min`, `max` and `count`. */
export interface SeriesColumns {
  key: string;
  kind: ValueKind;
  /** In ms. */
  lastAt: number;
  columns: (number | State)[][];
}

/**
 * Steps in seconds; 0 of points. `step`: the one of all parts of an answer. Without it, steps are as short as they can be. `most`: the points of a series.
 * `begun`: of the part before.
 */
export function createAnswerSeries({
  leastStep,
  step: given,
  most = pointsOfSeries,
  begun = [],
}: {
  leastStep: number;
  step?: number | undefined;
  most?: number | undefined;
  begun?: BegunSteps | undefined;
}) {
  const numbers = new Map<string, NumberSeries>();
  const states = new Map<string, Change[]>();
  let step = given ?? leastStep;
  for (const [key, each] of begun) addSample(numberOf(key), each);

  function numberOf(key: string): NumberSeries {
    let series = numbers.get(key);
    if (!series) numbers.set(key, (series = { points: [], steps: new Map<number, Step>(), recent: undefined }));
    return series;
  }

  /** Makes all steps as long as this, or longer if a series has too many. */
  function lengthenTo(least: number): void {
    step = stepsOfAnswers.find((each) => each >= least)!;
    for (const series of numbers.values()) {
      const { points, steps } = series;
      Object.assign(series, { points: [], steps: new Map<number, Step>(), recent: undefined });
      for (const [at, value] of points) addSample(series, pointAt(at, value));
      for (const each of steps.values()) addSample(series, each);
    }
    if ([...numbers.values()].some(({ steps }) => steps.size > most)) lengthen();
  }

  /** Returns false if the steps cannot be longer. */
  function lengthen(): boolean {
    const next = given === undefined ? stepsOfAnswers.find((each) => each > step) : undefined;
    if (next) lengthenTo(next);
    return next !== undefined;
  }

  /** The changes of a state, with those in a step left out that are too many. */
  function thinned(changes: readonly Change[]): Change[] {
    let shown = changesOf(changes);
    const everyMs = Math.max(hourMs, step * 1000);
    for (const ofStep of [20, 5, 1]) if (shown.length > most) shown = changesOf(changes, { most: ofStep, everyMs });
    return shown;
  }

  function addSample(series: NumberSeries, sample: Step): void {
    const at = startOf(sample.at, step);
    const known = series.recent?.at === at ? series.recent : series.steps.get(at);
    if (known) addInOrder(known, sample);
    else series.steps.set(at, (series.recent = { ...sample, at }));
    if (known) series.recent = known;
  }

  /** Takes the last step of each series. */
  function takeBegun(): BegunSteps {
    return [...numbers].map(([key, { steps }]) => {
      const last = [...steps.values()].reduce((a, b) => (b.at > a.at ? b : a));
      steps.delete(last.at);
      if (steps.size === 0) numbers.delete(key);
      return [key, last];
    });
  }

  return {
    point(key: string, at: number, value: Value): void {
      if (typeof value !== 'number') {
        listOf(states, key).push([at, value]);
        return;
      }
      const series = numberOf(key);
      if (step === 0) series.points.push([at, value]);
      else addSample(series, pointAt(at, value));
      if (Math.max(series.points.length, series.steps.size) > most) lengthen();
    },

    /** `seconds`: of the steps in these columns. */
    step(key: string, { columns, index, seconds }: { columns: NumberColumns; index: number; seconds: number }): void {
      if (seconds > step) lengthenTo(seconds);
      const series = numberOf(key);
      const at = columns.times[index]!;
      const { recent } = series;
      // Makes no object for a sample of the same step.
      if (recent && recent.at === startOf(at, step) && at >= recent.lastAt) {
        recent.last = columns.last[index]!;
        recent.lastAt = at;
        addTo(recent, {
          min: columns.min[index]!,
          max: columns.max[index]!,
          mean: columns.mean[index]!,
          count: columns.count?.[index] ?? 1,
        });
        return;
      }
      addSample(series, sampleOf(columns, index));
      if (series.steps.size > most) lengthen();
    },

    /** The seconds of the steps, and the series: if there are too many, those with the newest values. `goesOn`: another part comes. */
    all({ goesOn = false } = {}): { step: number; series: SeriesColumns[]; begun: BegunSteps } {
      const begunHere = goesOn ? takeBegun() : [];
      for (const changes of states.values()) {
        sortIfNeeded(changes, ([at]) => at);
        while (thinned(changes).length > most && lengthen());
      }
      const series = newestSeries([
        ...[...numbers].map(([key, each]) => numberColumns(key, each, step)),
        ...[...states].map(([key, changes]) => stateColumns(key, thinned(changes))),
      ]);
      return { step, series, begun: begunHere };
    },
  };
}

/** Returns the series with the newest values, as many as a response may have, ordered by key, numbers before states. */
export function newestSeries<T extends Omit<SeriesColumns, 'columns'>>(all: T[]): T[] {
  if (all.length > seriesOfAnswer) all.sort((a, b) => b.lastAt - a.lastAt).splice(seriesOfAnswer);
  return all.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.kind < b.kind ? -1 : 1));
}

const startOf = (at: number, step: number) => Math.floor(at / (step * 1000)) * (step * 1000);

const pointAt = (at: number, value: number): Step => ({
  at,
  firstAt: at,
  lastAt: at,
  first: value,
  last: value,
  min: value,
  max: value,
  mean: value,
  count: 1,
});

export function sampleOf({ times, first, last, min, max, mean, count }: NumberColumns, index: number): Step {
  const at = times[index]!;
  return {
    at,
    firstAt: at,
    lastAt: at,
    first: first[index]!,
    last: last[index]!,
    min: min[index]!,
    max: max[index]!,
    mean: mean[index]!,
    count: count?.[index] ?? 1,
  };
}

function addInOrder(step: Step, sample: Step): void {
  if (sample.firstAt < step.firstAt) [step.first, step.firstAt] = [sample.first, sample.firstAt];
  if (sample.lastAt >= step.lastAt) [step.last, step.lastAt] = [sample.last, sample.lastAt];
  addTo(step, sample);
}

function numberColumns(key: string, { points, steps }: NumberSeries, step: number) {
  const kind = 'number' as const;
  if (step === 0) {
    sortIfNeeded(points, ([at]) => at);
    return {
      key,
      kind,
      lastAt: points.at(-1)![0],
      columns: [points.map(([at]) => at), points.map(([, value]) => value)],
    };
  }
  const shown = [...steps.values()];
  sortIfNeeded(shown, ({ at }) => at);
  const column = (name: keyof Sample) => shown.map((each) => each[name]);
  const more = (['first', 'last', 'min', 'max', 'count'] as const).map(column);
  return { key, kind, lastAt: shown.at(-1)!.at, columns: [column('at'), shown.map(shortMean), ...more] };
}

const stateColumns = (key: string, shown: readonly Change[]) => ({
  key,
  kind: 'state' as const,
  lastAt: shown.at(-1)![0],
  columns: [shown.map(([at]) => at), shown.map(([, value]) => value)],
});

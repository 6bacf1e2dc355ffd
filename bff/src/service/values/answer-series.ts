/** The series of an answer, collected block by block: what is held grows with the answer, not with what is read. */
import type { ValueSeries } from '../../contract.ts';
import { valueLimits } from '../../limits/part-limits.ts';
import type { Value } from '../../store/last-values.ts';
import type { NumberColumns } from './value-blocks.ts';
import { addTo, changesOf, listOf, shortMean, sortIfNeeded, type Change, type Sample } from './value-steps.ts';

/** In seconds. Each is a multiple of the ones before it. */
const stepsOfAnswers = [1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400];
const { pointsOfSeries, seriesOfAnswer } = valueLimits;

/** The times (in ms) of its first and last sample. */
type Step = Sample & { firstAt: number; lastAt: number };

/** Points, as long as there are few; then steps by their beginnings. */
interface NumberSeries {
  points: [at: number, value: number][];
  steps: Map<number, Step>;
  /** The step of the last sample: the next one is often in it, too. */
  recent: Step | undefined;
}

export type AnswerSeries = ReturnType<typeof createAnswerSeries>;

/** `leastStep`: in seconds; 0 of points. */
export function createAnswerSeries({ leastStep }: { leastStep: number }) {
  const numbers = new Map<string, NumberSeries>();
  const states = new Map<string, Change[]>();
  let step = leastStep;

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
    if ([...numbers.values()].some(({ steps }) => steps.size > pointsOfSeries)) lengthen();
  }

  function lengthen(): void {
    const next = stepsOfAnswers.find((each) => each > step);
    if (next) lengthenTo(next);
  }

  function addSample(series: NumberSeries, sample: Step): void {
    const at = startOf(sample.at, step);
    const known = series.recent?.at === at ? series.recent : series.steps.get(at);
    if (known) addInOrder(known, sample);
    else series.steps.set(at, (series.recent = { ...sample, at }));
    if (known) series.recent = known;
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
      if (Math.max(series.points.length, series.steps.size) > pointsOfSeries) lengthen();
    },

    /** `of`: the seconds of the steps in these columns. */
    step(key: string, { columns, index, of }: { columns: NumberColumns; index: number; of: number }): void {
      if (of > step) lengthenTo(of);
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
      if (series.steps.size > pointsOfSeries) lengthen();
    },

    /** In seconds. */
    get stepOf(): number {
      return step;
    },

    /** By key, numbers before states. If there are too many, those with the newest values. */
    all(): ValueSeries[] {
      const all = [
        ...[...numbers].map(([key, series]) => numberSeries(key, series, step)),
        ...[...states].map(([key, changes]) => stateSeries(key, changes)),
      ];
      if (all.length > seriesOfAnswer) all.sort((a, b) => b.times.at(-1)! - a.times.at(-1)!).splice(seriesOfAnswer);
      return all.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.kind < b.kind ? -1 : 1));
    },
  };
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

function numberSeries(key: string, { points, steps }: NumberSeries, step: number): ValueSeries {
  if (step === 0) {
    sortIfNeeded(points, ([at]) => at);
    return { key, kind: 'number', times: points.map(([at]) => at), values: points.map(([, value]) => value) };
  }
  const shown = [...steps.values()];
  sortIfNeeded(shown, ({ at }) => at);
  const column = (name: keyof Sample) => shown.map((each) => each[name]);
  const [times, first, last, min, max, count] = (['at', 'first', 'last', 'min', 'max', 'count'] as const).map(column);
  return { key, kind: 'number', times: times!, values: shown.map(shortMean), first, last, min, max, count };
}

function stateSeries(key: string, changes: Change[]): ValueSeries {
  sortIfNeeded(changes, ([at]) => at);
  let shown = changesOf(changes);
  for (const most of [20, 5, 1]) if (shown.length > pointsOfSeries) shown = changesOf(changes, most);
  shown = shown.slice(-pointsOfSeries);
  return { key, kind: 'state', times: shown.map(([at]) => at), values: shown.map(([, value]) => value) };
}

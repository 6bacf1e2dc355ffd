/** Series as columns with one time axis, as the chart library reads them. */
import { longestPause, type Series, type Span, type Value } from '../../data/values/series.ts';

/** `null` is a gap. `undefined` is a time at which only other series have a value: the line goes on. */
type Column = (number | null | undefined)[];
export type Columns = [times: number[], ...values: Column[]];

/** The chart library draws axes for numbers between these. */
const [largest, smallest] = [1e12, 1e-6];

/** Values are divided by it before they are drawn: 1, or a power of ten if they are very large or very small. */
export function unitOf(all: readonly Series[]): number {
  let most = 0;
  for (const { values, least = values, most: highest = values } of all)
    for (const column of [least, highest]) for (const value of column) most = Math.max(most, Math.abs(value as number));
  return most >= largest || (most > 0 && most < smallest) ? 10 ** Math.floor(Math.log10(most)) : 1;
}

/** A line for each series. One series of steps has three: the largest, the smallest and the mean numbers. */
export function columnsOf(all: readonly Series[], unit = 1): Columns {
  const [only] = all;
  if (all.length === 1 && only?.least && only.most) {
    const lines = [only.most, only.least, only.values].map((values) => withGaps(only, values as number[], unit));
    return [lines[0]!.times, ...lines.map(({ values }) => values)];
  }
  return merged(all.map((series) => withGaps(series, series.values as number[], unit)));
}

interface Line {
  times: number[];
  values: Column;
}

/** Puts a gap where nothing came for a longer time than usual. */
function withGaps(series: Series, values: readonly number[], unit: number): Line {
  const pause = longestPause(series);
  const line: Line = { times: [], values: [] };
  let before = Infinity;
  for (const [index, time] of series.times.entries()) {
    if (time - before > pause) {
      line.times.push(before + pause / 2);
      line.values.push(null);
    }
    line.times.push(time);
    line.values.push(values[index]! / unit);
    before = time;
  }
  return line;
}

/** All times of all lines, once each. Of several values at one time, the last one is taken. */
function merged(lines: readonly Line[]): Columns {
  const [only] = lines;
  if (lines.length === 1 && only) return [only.times, only.values];
  const times: number[] = [];
  const columns = lines.map((): Column => []);
  const next = lines.map(() => 0);
  for (;;) {
    let time = Infinity;
    for (const [index, line] of lines.entries()) time = Math.min(time, line.times[next[index]!] ?? Infinity);
    if (time === Infinity) return [times, ...columns];
    times.push(time);
    for (const [index, line] of lines.entries()) {
      let value: Column[number];
      while (line.times[next[index]!] === time) value = line.values[next[index]!++];
      columns[index]!.push(value);
    }
  }
}

/** A time in which a state did not change, in ms. */
export interface State {
  from: number;
  to: number;
  value: Value;
}

/** A state lasts until the next value, or until a gap begins. The last one lasts until `now` at most. */
export function statesOf(series: Series, now: number): State[] {
  const pause = longestPause(series);
  const states: State[] = [];
  for (const [index, from] of series.times.entries()) {
    const value = series.values[index]!;
    const next = series.times[index + 1] ?? Math.max(from, now);
    const to = Math.min(next, from + pause);
    const last = states.at(-1);
    if (last && last.value === value && last.to === from) last.to = to;
    else states.push({ from, to, value });
  }
  return states;
}

/** The different states of a series, in the order of their first appearance: each has a colour. */
export const distinctStates = ({ values }: Series): Value[] => [...new Set(values)];

/** At most so many rows of a table. */
const mostRows = 100;

/** A row of the table that says the same as a chart: the values of all series in a part of the time. */
export interface TableRow {
  at: number;
  /** Undefined: nothing came. Of several numbers, their mean; of several states, the last one. */
  cells: (Value | undefined)[];
}

/** The table of a chart, newest first: a row for each time, or for parts of equal length if there are too many. */
export function tableOf(all: readonly Series[], [from, to]: Span): TableRow[] {
  const isWithin = (time: number) => time >= from && time <= to;
  const times = new Set(all.flatMap((series) => series.times.filter(isWithin)));
  const length = times.size > mostRows ? (to - from) / mostRows : 0;
  const rowOf = (time: number) => (length === 0 ? time : from + Math.floor((time - from) / length) * length);
  const rows = new Map<number, Value[][]>();
  for (const [index, series] of all.entries()) {
    for (const [number, time] of series.times.entries()) {
      if (!isWithin(time)) continue;
      const at = rowOf(time);
      const cells = rows.get(at) ?? all.map((): Value[] => []);
      rows.set(at, cells);
      cells[index]!.push(series.values[number]!);
    }
  }
  const newestFirst = [...rows].toSorted(([a], [b]) => b - a);
  return newestFirst.map(([at, cells]) => ({ at, cells: cells.map(oneOf) }));
}

function oneOf(values: Value[]): Value | undefined {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === 0 || numbers.length < values.length) return values.at(-1);
  return numbers.reduce((sum, value) => sum + value / numbers.length, 0);
}

/** Series as columns with one time axis, as the chart library reads them. */
import { firstAfter, longestPause, type Series, type Span, type Value } from '../../data/values/series.ts';

/** `null` is a gap. `undefined` is a time at which only other series have a value: the line goes on. */
export type Column = (number | null | undefined)[];
export type Columns = [times: number[], ...values: Column[]];

/** What the chart library draws. */
export interface DrawnColumns {
  columns: Columns;
  /** The values in the columns are divided by it: 1, or a power of ten if they are very large or very small. */
  unit: number;
}

interface Drawn {
  span: Span;
  /** The width of the plot, in px. */
  width: number;
}

/** A line for each series, as far as the chart shows it. One series of steps has three: the largest, the smallest and the mean numbers. */
export function columnsOf(all: readonly Series[], drawn: Drawn): DrawnColumns {
  const [only] = all;
  if (all.length === 1 && only?.least && only.most) {
    const { least, most, values } = only;
    const { times, columns } = lineOf(only, [most, least, values as number[]], drawn);
    return inUnit([times, ...columns]);
  }
  const lines = all.map((series) => lineOf(series, [series.values as number[]], drawn));
  // A line ends after its last value: others may go on.
  if (lines.length > 1)
    for (const [index, line] of lines.entries()) {
      const last = line.times.at(-1);
      if (last !== undefined) addGap(line, last + longestPause(all[index]!) / 2);
    }
  return inUnit(merged(lines));
}

/** The chart library draws axes for numbers between these. */
const [largest, smallest] = [1e12, 1e-6];

function inUnit([times, ...columns]: Columns): DrawnColumns {
  let most = 0;
  for (const column of columns) for (const value of column) most = Math.max(most, Math.abs(value ?? 0));
  if (most < largest && (most === 0 || most >= smallest)) return { columns: [times, ...columns], unit: 1 };
  const unit = 10 ** Math.floor(Math.log10(most));
  return { columns: [times, ...columns.map((column) => column.map((value) => value && value / unit))], unit };
}

interface Line {
  times: number[];
  columns: Column[];
}

/** The part of a series that is drawn, from one index to another. */
interface Part {
  times: readonly number[];
  /** One, or the largest, the smallest and the mean numbers of steps. */
  columns: readonly (readonly number[])[];
  /** How many numbers each step has. */
  counts: readonly number[] | undefined;
  start: number;
  end: number;
}

/** More values than this of a px are drawn together. */
const mostOfPixel = 2;

/**
 * The values within the span, and those beside it, to which the line goes on. Many values of a px are together, in rows at its multiples, so that they
 * stay where they are while the span moves, and several lines have the same ones.
 */
function lineOf(series: Series, columns: Part['columns'], { span, width }: Drawn): Line {
  const { times, counts } = series;
  const start = Math.max(0, firstAfter(times, span[0] - 1) - 1);
  const end = Math.min(times.length, firstAfter(times, span[1]) + 1);
  const part = { times, columns, counts, start, end };
  const line: Line = { times: [], columns: columns.map(() => []) };
  /** The time of a pixel, in ms. */
  const length = (span[1] - span[0]) / width;
  const pause = Math.max(longestPause(series), 2 * length);
  for (let index = start; index < end;) {
    const at = Math.floor(times[index]! / length) * length;
    let next = index + 1;
    while (next < end && times[next]! < at + length) next += 1;
    const before = times[index - 1]!;
    if (index > start && times[index]! - before > pause) addGap(line, before + pause / 2);
    if (next - index <= mostOfPixel) addAll(line, part, { index, next });
    else if (columns.length === 1) addExtremes(line, columns[0]!, { index, next, at, length });
    else addStep(line, part, { index, next, at });
    index = next;
  }
  return line;
}

function addAll(line: Line, { times, columns }: Part, { index, next }: { index: number; next: number }): void {
  for (let each = index; each < next; each++) {
    line.times.push(times[each]!);
    for (let column = 0; column < columns.length; column++) line.columns[column]!.push(columns[column]![each]);
  }
}

function addGap({ times, columns }: Line, at: number): void {
  times.push(at);
  for (const column of columns) column.push(null);
}

/** The smallest and the largest value, in the order in which they came. */
function addExtremes(
  { times, columns }: Line,
  values: readonly number[],
  { index, next, at, length }: { index: number; next: number; at: number; length: number },
): void {
  let [least, most] = [index, index];
  for (let each = index + 1; each < next; each++) {
    if (values[each]! < values[least]!) least = each;
    if (values[each]! > values[most]!) most = each;
  }
  times.push(at, at + length / 2);
  columns[0]!.push(values[Math.min(least, most)], values[Math.max(least, most)]);
}

/** A longer step. */
function addStep(
  line: Line,
  { columns: [mosts, leasts, means], counts }: Part,
  { index, next, at }: { index: number; next: number; at: number },
): void {
  let [most, least, count, mean] = [-Infinity, Infinity, 0, 0];
  for (let each = index; each < next; each++) {
    most = Math.max(most, mosts![each]!);
    least = Math.min(least, leasts![each]!);
    count += counts?.[each] ?? 1;
  }
  // The sum of large numbers would be infinite.
  for (let each = index; each < next; each++) mean += means![each]! * ((counts?.[each] ?? 1) / count);
  line.times.push(at);
  for (const [column, value] of [most, least, mean].entries()) line.columns[column]!.push(value);
}

/** All times of all lines, once each. Of several values at one time, the last one is taken. */
function merged(lines: readonly Line[]): Columns {
  const [only] = lines;
  if (lines.length === 1 && only) return [only.times, only.columns[0]!];
  const times: number[] = [];
  const columns = lines.map((): Column => []);
  const next = lines.map(() => 0);
  const isGap = lines.map(() => false);
  for (;;) {
    let time = Infinity;
    for (let index = 0; index < lines.length; index++)
      time = Math.min(time, lines[index]!.times[next[index]!] ?? Infinity);
    if (time === Infinity) return [times, ...columns];
    times.push(time);
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index]!;
      // A gap goes on until the next value of its line, whatever the others have.
      let value: Column[number] = isGap[index] ? null : undefined;
      while (line.times[next[index]!] === time) value = line.columns[0]![next[index]!++];
      columns[index]!.push(value);
      isGap[index] = value === null;
    }
  }
}

/** The indexes of the values that stand between two gaps: a line does not show them. */
export function aloneIn(column: Column): number[] {
  const alone: number[] = [];
  /** Of the values since the last gap. */
  let [count, newest] = [0, 0];
  for (let index = 0; index <= column.length; index++) {
    const value = index < column.length ? column[index] : null;
    if (value === null) {
      if (count === 1) alone.push(newest);
      count = 0;
    } else if (value !== undefined) {
      count += 1;
      newest = index;
    }
  }
  return alone;
}

/** A time in which a state did not change, in ms. */
interface State {
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
interface TableRow {
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
  const rows = new Map<number, number[][]>();
  for (const [index, series] of all.entries()) {
    for (const [number, time] of series.times.entries()) {
      if (!isWithin(time)) continue;
      const at = rowOf(time);
      const cells = rows.get(at) ?? all.map((): number[] => []);
      rows.set(at, cells);
      cells[index]!.push(number);
    }
  }
  const newestFirst = [...rows].toSorted(([a], [b]) => b - a);
  return newestFirst.map(([at, cells]) => ({ at, cells: cells.map((values, index) => oneOf(all[index]!, values)) }));
}

/** The mean of numbers, or the last state. `indexes`: in the series. */
function oneOf({ kind, values, counts }: Series, indexes: readonly number[]): Value | undefined {
  if (kind === 'state' || indexes.length < 2) return values[indexes.at(-1)!];
  const weights = indexes.map((index) => counts?.[index] ?? 1);
  const count = weights.reduce((sum, weight) => sum + weight, 0);
  return indexes.reduce((sum, index, place) => sum + (values[index] as number) * (weights[place]! / count), 0);
}

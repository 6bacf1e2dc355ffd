/** The values of a device as series or as lines of a file, made where they are read: what is stored, and what its messages have that is not. */
import type { KeptValues } from '../../contract.ts';
import { escapeFormula, toLine } from '../../core/resources/device-export.ts';
import type { Value } from '../../core/store/last-values.ts';
import { defineShape } from '../../core/store/shape.ts';
import { readAudiences } from '../../core/store/value-audiences.ts';
import { createAnswerSeries, sampleOf, type BegunSteps, type SeriesColumns } from './answer-series.ts';
import { sinceOfSwarms, valuesOfMessages, type MessageValueRow } from './message-values.ts';
import { columnsOf, readOpen, type NumberColumns } from './value-blocks.ts';

/** The first row is the device. The others are its blocks, and rows of its messages. What belongs to the other kinds is null. */
interface StoredRow extends Omit<MessageValueRow, 'id'> {
  open: string | null;
  audiences: string | null;
  step: number | null;
  audience: number | null;
  content: Uint8Array | null;
  /** The position of a message. */
  seq: number | null;
  id: string | null;
}

/** What is read of a device. Times in ms. */
export interface SeriesAsked {
  /** Undefined: all keys. */
  keys?: readonly string[] | undefined;
  from: number;
  to: number;
  /** A reader sees what went to these swarms, since a time of each. Undefined for the owner, who sees all. */
  swarms?: readonly { id: string; since: number }[] | undefined;
  /** Which time the values of messages have, and (in ms) since when they are kept, and have the device's own times. */
  keeps: KeptValues;
  since: number;
  timesSince: number | null;
}

/** Series, or a part of them. */
export interface SeriesTexts {
  /** In seconds; 0: points. */
  step: number;
  /** The lengths of the texts of its columns. */
  series: (Omit<SeriesColumns, 'columns'> & { lengths: number[] })[];
  /** The texts of all columns: JSON arrays without their brackets. */
  bytes: Uint8Array;
  /** For the next part. */
  begun: BegunSteps;
}

interface StepAsked {
  leastStep: number;
  /** The step of all parts of an answer; undefined if it has one part. */
  step?: number | undefined;
  /** The points of a series. */
  most?: number | undefined;
  /** The steps that the part before has begun. */
  begun?: BegunSteps | undefined;
  /** Another part comes. */
  goesOn?: boolean | undefined;
}

/** Steps in seconds. */
export const valueSeries = defineShape(
  new URL('./value-series.shape.ts', import.meta.url),
  'valueSeries',
  (
    rows: readonly StoredRow[],
    { leastStep, step: given, most, begun: before, goesOn, ...asked }: SeriesAsked & StepAsked,
  ): SeriesTexts[] => {
    const answer = createAnswerSeries({ leastStep, step: given, most, begun: before });
    visitSeen(rows, asked, answer);
    const { step, series, begun } = answer.all({ goesOn });
    const texts: Buffer[] = [];
    const described = series.map(({ columns, ...rest }) => {
      const ofSeries = columns.map((column) => Buffer.from(JSON.stringify(column).slice(1, -1)));
      texts.push(...ofSeries);
      return { ...rest, lengths: ofSeries.map(({ length }) => length) };
    });
    // With a buffer of its own, which is moved to the main thread.
    return [{ step, series: described, bytes: Uint8Array.from(Buffer.concat(texts)), begun }];
  },
);

/** Some lines of a file, from a time on: `skip` of those with this time were in the part before. */
interface LinesAsked extends SeriesAsked {
  skip: number;
  most: number;
  /** The cells between the time and the key. */
  between: readonly string[];
}

export interface LinesText {
  bytes: Uint8Array<ArrayBuffer>;
  count: number;
  /** Where the next lines begin; undefined if there are no more. */
  next: { from: number; skip: number } | undefined;
}

/** A line of a file. A state, and a point, has only a value. */
interface Line {
  at: number;
  key: string;
  value: Value;
  step?: { columns: NumberColumns; index: number };
}

const utf8 = new TextEncoder();

/** The values as lines, as they are stored. */
export const valueLines = defineShape(
  new URL('./value-series.shape.ts', import.meta.url),
  'valueLines',
  (rows: readonly StoredRow[], { skip, most, between, ...asked }: LinesAsked): LinesText[] => {
    const lines: Line[] = [];
    const add = (line: Line) => void (line.at >= asked.from && lines.push(line));
    visitSeen(rows, asked, {
      point: (key, at, value) => add({ at, key, value }),
      step: (key, { columns, index }) =>
        add({ at: columns.times[index]!, key, value: columns.mean[index]!, step: { columns, index } }),
    });
    lines.sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : Number(a.key > b.key)));
    const endIndex = skip + most;
    const last = lines[endIndex - 1];
    const hasMore = last !== undefined && lines.length > endIndex;
    const next = hasMore ? { from: last.at, skip: endIndex - lines.findIndex(({ at }) => at === last.at) } : undefined;
    const text = lines.slice(skip, endIndex).map((line) => textOf(line, between));
    return [{ bytes: utf8.encode(text.join('')), count: text.length, next }];
  },
);

function textOf({ at, key, value, step }: Line, between: readonly string[]): string {
  const sample = step && sampleOf(step.columns, step.index);
  const more =
    sample && sample.count > 1
      ? [sample.first, sample.last, sample.min, sample.max, sample.count].map(String)
      : ['', '', '', '', ''];
  // A negative number would begin as a formula.
  const shown = typeof value === 'number' || isNumberText(value) ? String(value) : escapeFormula(String(value));
  return toLine([new Date(at).toISOString(), ...between, escapeFormula(key), shown, ...more], ',');
}

const isNumberText = (value: Value) => value !== '' && Number.isFinite(Number(value));

interface Visitor {
  point(key: string, at: number, value: Value): void;
  /** `seconds`: of the steps in these columns. */
  step(key: string, sample: { columns: NumberColumns; index: number; seconds: number }): void;
}

/** Calls the visitor for what a reader may see of these rows. */
function visitSeen([device, ...rows]: readonly StoredRow[], asked: SeriesAsked, visitor: Visitor): void {
  const { keys, from, to, keeps, since, timesSince } = asked;
  const { sets } = readAudiences(device?.audiences ?? '[]');
  const sinceOf = (audience: number) => sinceOfSwarms(asked, sets.get(audience)?.swarms ?? []);
  const isWanted = (key: string) => keys === undefined || keys.includes(key);
  const visitPoints = (points: Pick<ReturnType<typeof readOpen>[number], 'at' | 'values'>, seenSince: number) => {
    if (points.at < Math.max(from, seenSince) || points.at > to) return;
    for (const [key, value] of points.values) if (isWanted(key)) visitor.point(key, points.at, value);
  };
  for (const { step, audience, content } of rows) {
    if (content === null) continue;
    const seenSince = sinceOf(audience!);
    if (seenSince <= to) visitBlock({ content, step: step!, from, to, seenSince }, isWanted, visitor);
  }
  for (const point of readOpen(device?.open ?? '')) visitPoints(point, sinceOf(point.audience));
  const messages = rows.filter((row): row is StoredRow & { seq: number; id: string } => row.seq !== null);
  messages.sort((a, b) => a.seq - b.seq);
  for (const message of valuesOfMessages(messages, { keeps, since, timesSince }))
    visitPoints(message, sinceOfSwarms(asked, message.swarms));
}

function visitBlock(
  block: { content: Uint8Array; step: number; from: number; to: number; seenSince: number },
  isWanted: (key: string) => boolean,
  visitor: Visitor,
): void {
  const { content, step, from, to, seenSince } = block;
  const { numbers, states } = columnsOf(content, step);
  /** A step that ends in the range is in it, and a point at its beginning. */
  const firstStep = Math.max(step === 0 ? from : from - step * 1000 + 1, seenSince);
  const first = Math.max(from, seenSince);
  for (const [key, columns] of numbers)
    if (isWanted(key))
      for (const [index, at] of columns.times.entries()) {
        if (at < firstStep || at > to) continue;
        if (step === 0) visitor.point(key, at, columns.last[index]!);
        else visitor.step(key, { columns, index, seconds: step });
      }
  for (const [key, { times, values }] of states)
    if (isWanted(key))
      for (const [index, at] of times.entries()) if (at >= first && at <= to) visitor.point(key, at, values[index]!);
}

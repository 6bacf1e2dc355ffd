/** Joins the parts of an answer, which are texts: the main thread does not read their values. */
import { newestSeries } from './answer-series.ts';
import type { SeriesTexts } from './value-series.shape.ts';

export interface SeriesText {
  /** In seconds; 0: points. */
  step: number;
  /** The series as a JSON array. */
  bytes: Uint8Array;
}

const columnNames = ['times', 'values', 'first', 'last', 'min', 'max', 'count'];

/** `parts`: in the order of their times, with the same step. */
export function joinSeries(parts: readonly SeriesTexts[]): SeriesText {
  const all = parts.flatMap(({ series, bytes }) => {
    let from = 0;
    return series.map(({ lengths, ...rest }) => ({
      ...rest,
      columns: lengths.map((length) => bytes.subarray(from, (from += length))),
    }));
  });
  const series = [...Map.groupBy(all, ({ kind, key }) => `${kind} ${key}`).values()].map((ofSeries) => ({
    ...ofSeries.at(-1)!,
    parts: ofSeries.map(({ columns }) => columns),
  }));
  const texts: Uint8Array[] = [];
  const add = (text: string) => texts.push(Buffer.from(text));
  for (const [index, { key, kind, parts: ofSeries }] of newestSeries(series).entries()) {
    add(`${index === 0 ? '[' : ','}{"key":${JSON.stringify(key)},"kind":"${kind}"`);
    for (const place of ofSeries[0]!.keys()) {
      add(`,"${columnNames[place]}":[`);
      for (const [part, columns] of ofSeries.entries()) {
        if (part > 0) add(',');
        texts.push(columns[place]!);
      }
      add(']');
    }
    add('}');
  }
  add(series.length === 0 ? '[]' : ']');
  return { step: parts[0]!.step, bytes: Buffer.concat(texts) };
}

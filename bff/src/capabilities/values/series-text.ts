/** Joins the slices of an answer, which are texts: the main thread does not read their values. */
import { newestSeries } from './answer-series.ts';
import type { SeriesTexts } from './value-series.shape.ts';

export interface SeriesText {
  /** In seconds; 0: points. */
  step: number;
  /** The series as a JSON array. */
  bytes: Uint8Array;
}

const columnNames = ['times', 'values', 'first', 'last', 'min', 'max', 'count'];

/** `slices`: in the order of their times, with the same step. */
export function joinSeries(slices: readonly SeriesTexts[]): SeriesText {
  const all = slices.flatMap(({ series, bytes }) => {
    let from = 0;
    return series.map(({ lengths, ...rest }) => ({
      ...rest,
      columns: lengths.map((length) => bytes.subarray(from, (from += length))),
    }));
  });
  const series = [...Map.groupBy(all, ({ kind, key }) => `${kind} ${key}`).values()].map((ofSeries) => ({
    ...ofSeries.at(-1)!,
    slices: ofSeries.map(({ columns }) => columns),
  }));
  const texts: Uint8Array[] = [];
  const add = (text: string) => texts.push(Buffer.from(text));
  for (const [index, { key, kind, slices: ofSeries }] of newestSeries(series).entries()) {
    add(`${index === 0 ? '[' : ','}{"key":${JSON.stringify(key)},"kind":"${kind}"`);
    for (const columnIndex of ofSeries[0]!.keys()) {
      add(`,"${columnNames[columnIndex]}":[`);
      for (const [sliceIndex, columns] of ofSeries.entries()) {
        if (sliceIndex > 0) add(',');
        texts.push(columns[columnIndex]!);
      }
      add(']');
    }
    add('}');
  }
  add(series.length === 0 ? '[]' : ']');
  return { step: slices[0]!.step, bytes: Buffer.concat(texts) };
}

/** The last values of a device, made where they are read: those that are recorded, and those of messages that are not. */
import type { ValueSeries } from '../../contract.ts';
import { valueLimits } from './limits.ts';
import { kindOf, newestOf, type Value } from '../../core/store/last-values.ts';
import { defineShape } from '../../core/store/shape.ts';
import { sinceOfSwarms, valuesOfMessages, type MessageValueRow } from './message-values.ts';
import type { SeriesText } from './series-text.ts';
import type { SeriesAsked } from './value-series.shape.ts';

/** The first row is the device. The others are rows of its messages. What belongs to the other kind is null. */
interface LastRow extends Omit<MessageValueRow, 'id'> {
  last: string | null;
  audiences: string | null;
  /** The position of a message. */
  seq: number | null;
  id: string | null;
}

/** A series of one value for each key. */
export const lastSeries = defineShape(
  new URL('./last-series.shape.ts', import.meta.url),
  'lastSeries',
  ([device, ...rows]: readonly LastRow[], asked: SeriesAsked): SeriesText[] => {
    const { keys, keeps, since, timesSince } = asked;
    const newest = new Map<string, { key: string; at: number; value: Value }>();
    const add = (key: string, at: number, value: Value) => {
      const id = `${key} ${kindOf(value)}`;
      if (at >= (newest.get(id)?.at ?? -Infinity)) newest.set(id, { key, at, value });
    };
    const recorded = { last: device?.last ?? '[]', audiences: device?.audiences ?? '[]' };
    const sinceOf = (swarms: readonly string[]) => sinceOfSwarms(asked, swarms);
    for (const [key, ofKey] of newestOf(recorded, { keys: keys ?? 'all', since: sinceOf }))
      for (const [at, value] of Object.values(ofKey)) add(key, at, value);
    const messages = rows.filter((row): row is LastRow & { seq: number; id: string } => row.seq !== null);
    messages.sort((a, b) => a.seq - b.seq);
    for (const { at, swarms, values } of valuesOfMessages(messages, { keeps, since, timesSince }))
      if (at >= sinceOf(swarms))
        for (const [key, value] of values) if (keys === undefined || keys.includes(key)) add(key, at, value);
    const shown = [...newest].sort(([, a], [, b]) => b.at - a.at).slice(0, valueLimits.seriesOfAnswer);
    const series = shown.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => seriesOf(each));
    // With a buffer of its own, which is moved to the main thread.
    return [{ step: 0, bytes: Uint8Array.from(Buffer.from(JSON.stringify(series))) }];
  },
);

const seriesOf = ({ key, at, value }: { key: string; at: number; value: Value }): ValueSeries =>
  typeof value === 'number'
    ? { key, kind: 'number', times: [at], values: [value] }
    : { key, kind: 'state', times: [at], values: [value] };

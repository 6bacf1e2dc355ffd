/** What is stored of the messages of a window, made where they are read. */
import type { KeptValues } from '../../contract.ts';
import { valueJob, valueLimits } from '../../limits/part-limits.ts';
import { readLast, writeLastWithin } from '../../store/last-values.ts';
import { defineShape } from '../../store/shape.ts';
import { readAudiences, writeAudiences } from '../../store/value-audiences.ts';
import { valuesOfMessages, type MessageValueRow } from './message-values.ts';
import { audienceOf, updateLast } from './recorded-keys.ts';
import { boundsOf, packBlock, readOpen, writeOpen } from './value-blocks.ts';
import { seriesOf } from './value-steps.ts';

/** A row of a message, with what is stored of its device. */
interface WindowRow extends MessageValueRow {
  seq: number;
  ref: number;
  user_id: string;
  keep_values: KeptValues;
  values_since: string;
  /** Only if it is long: then it is packed. */
  open: string | null;
  opened_at: number | null;
  last: string | null;
  audiences: string | null;
}

/** What a window changes of the row of a device. */
export interface RecordedDevice {
  ref: number;
  user_id: string;
  values_since: string;
  /** Is appended to the text of the newest points. */
  open: string;
  /** That text is in blocks now. */
  isPacked: boolean;
  /** In ms: when the text was begun; null if it is empty. */
  opened_at: number | null;
  last: string;
  audiences: string;
}

/** A new block of a device. */
export interface ValueBlock extends Pick<RecordedDevice, 'ref' | 'values_since'> {
  step: number;
  audience: number;
  part: number;
  starts: number;
  ends: number;
  points: number;
  bytes: Uint8Array;
}

export type RecordedResult = { device: RecordedDevice } | ValueBlock;

export const recordedValues = defineShape(
  new URL('./recorded-values.shape.ts', import.meta.url),
  'recordedValues',
  (rows: readonly WindowRow[]): RecordedResult[] =>
    [...Map.groupBy(rows, ({ ref }) => ref).values()].flatMap((ofDevice) => recordDevice(ofDevice)),
);

function recordDevice(rows: readonly WindowRow[]): RecordedResult[] {
  const { seq, ref, user_id, values_since, keep_values: keeps, ...before } = rows[0]!;
  const messages = valuesOfMessages(rows, { keeps, since: Date.parse(values_since) });
  const audiences = readAudiences(before.audiences ?? '[]');
  const last = readLast(before.last ?? '[]');
  let added = '';
  for (const { at, sentAt, swarms, values: newValues } of messages) {
    const audience = audienceOf(audiences, { swarms, last, at: sentAt });
    const values = newValues.filter(([key, value]) => updateLast(last, { audience, key, value, at }));
    if (values.length > 0) added += writeOpen({ at, audience, values });
  }
  if (added === '') return [];
  const common = { ref, user_id, values_since };
  const isPacked = before.open !== null;
  // Many messages of one window may be long by themselves. A single one would have the number that `closedValues` uses.
  const isLong = isPacked || (added.length > valueJob.openLength && rows.length > 1);
  const blocks = isLong
    ? blocksOf((before.open ?? '') + added).map((block) => ({ ...common, ...block, part: seq }))
    : [];
  const device: RecordedDevice = {
    ...common,
    open: isLong ? '' : added,
    isPacked,
    opened_at: isPacked ? null : (before.opened_at ?? (isLong ? null : messages[0]!.sentAt)),
    last: writeLastWithin(last, valueLimits.lastBytes),
    audiences: writeAudiences(audiences),
  };
  return [{ device }, ...blocks];
}

/** The newest points of a device, which are old, as blocks. */
export const closedValues = defineShape(
  new URL('./recorded-values.shape.ts', import.meta.url),
  'closedValues',
  (rows: readonly (Pick<RecordedDevice, 'ref' | 'values_since'> & { open: string; seq: number })[]): ValueBlock[] =>
    rows.flatMap(({ open, seq, ...common }) => blocksOf(open).map((block) => ({ ...common, ...block, part: seq }))),
);

function blocksOf(open: string) {
  return [...Map.groupBy(readOpen(open), ({ audience }) => audience)].map(([audience, points]) => {
    const series = seriesOf(points);
    return { step: 0, audience, ...boundsOf(series), points: points.length, bytes: packBlock(series, 0) };
  });
}

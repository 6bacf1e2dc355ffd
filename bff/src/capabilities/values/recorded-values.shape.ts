/** What is stored of the messages of a window, made where they are read. */
import type { KeptValues } from '../../contract.ts';
import { hourMs } from '../../core/limits/durations.ts';
import { valueJob, valueLimits } from './limits.ts';
import { readLast, writeLastWithin } from '../../core/store/last-values.ts';
import { defineShape } from '../../core/store/shape.ts';
import { readAudiences, writeAudiences } from '../../core/store/value-audiences.ts';
import { valuesOfMessages, type MessageValueRow } from './message-values.ts';
import { audienceOf, createKeyPlaces } from './recorded-keys.ts';
import { blockKeyOf, boundsOf, packBlock, readOpen, writeOpen } from './value-blocks.ts';
import { samplesIn, seriesOf, stepOfPoints } from './value-steps.ts';

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
  times_since: number | null;
  known_keys: string | null;
  chosen_keys: string | null;
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
  known_keys: string;
}

/** A new block of a device. */
export interface ValueBlock extends Pick<RecordedDevice, 'ref' | 'values_since'> {
  step: number;
  audience: number;
  part: number;
  starts: number;
  ends: number;
  points: number;
  /** The number of its values. */
  samples: number;
  bytes: Uint8Array;
  /** In ms: as which time it is summarised, if it is not `ends`. */
  due: number | null;
}

export type RecordedResult = { device: RecordedDevice } | ValueBlock;

export const recordedValues = defineShape(
  new URL('./recorded-values.shape.ts', import.meta.url),
  'recordedValues',
  (rows: readonly WindowRow[]): RecordedResult[] =>
    [...Map.groupBy(rows, ({ ref }) => ref).values()].flatMap((ofDevice) => recordDevice(ofDevice)),
);

function recordDevice(rows: readonly WindowRow[]): RecordedResult[] {
  const { ref, user_id, values_since, keep_values: keeps, times_since: timesSince, ...before } = rows[0]!;
  const messages = valuesOfMessages(rows, { keeps, since: Date.parse(values_since), timesSince });
  const audiences = readAudiences(before.audiences ?? '[]');
  const last = readLast(before.last ?? '[]');
  const chosen = before.chosen_keys === null ? null : (JSON.parse(before.chosen_keys) as string[]);
  const places = createKeyPlaces({ last, known: before.known_keys ?? '', chosen });
  let added = '';
  for (const { at, sentAt, swarms, values: newValues } of messages) {
    const audience = audienceOf(audiences, { swarms, last, at: sentAt });
    const values = newValues.filter(([key, value]) => places.note({ audience, key, value, at }));
    if (values.length > 0) added += writeOpen({ at, audience, values });
  }
  const known_keys = places.write();
  if (added === '' && known_keys === (before.known_keys ?? '')) return [];
  const common = { ref, user_id, values_since };
  const isPacked = before.open !== null;
  // Many messages of one window may be long by themselves. A single one would have the number that `closedValues` uses.
  const isLong = isPacked || (added.length > valueJob.openLength && rows.length > 1);
  const blocks = isLong
    ? blocksOf((before.open ?? '') + added, { seq: rows.at(-1)!.seq, sentAt: messages.at(-1)!.sentAt })
    : [];
  const device: RecordedDevice = {
    ...common,
    open: isLong ? '' : added,
    isPacked,
    opened_at: isPacked ? null : (before.opened_at ?? (isLong || added === '' ? null : messages[0]!.sentAt)),
    last: writeLastWithin(last, valueLimits.lastBytes),
    audiences: writeAudiences(audiences),
    known_keys,
  };
  return [{ device }, ...blocks.map((block) => ({ ...common, ...block }))];
}

/** The newest points of a device, which are old, as blocks. */
export const closedValues = defineShape(
  new URL('./recorded-values.shape.ts', import.meta.url),
  'closedValues',
  (rows: readonly (Pick<RecordedDevice, 'ref' | 'values_since'> & { open: string; seq: number })[]): ValueBlock[] =>
    rows.flatMap(({ open, seq, ...common }) => blocksOf(open, { seq }).map((block) => ({ ...common, ...block }))),
);

/**
 * Each is added to one block of steps. `seq`: of the last row of messages that was read. `sentAt`: of its message; undefined if the text is old. What is older than other points by then waits as long as they do, so that many are one write.
 */
function blocksOf(open: string, { seq, sentAt }: { seq: number; sentAt?: number }) {
  const byBlock = Map.groupBy(readOpen(open), ({ at, audience }) => `${audience} ${blockKeyOf(at, stepOfPoints)}`);
  const least = (sentAt ?? -Infinity) - valueLimits.pointHours * hourMs;
  // A window may have made blocks of its own, before a text that it has left is old. Older versions had the numbers of rows.
  const first = seq * 10_000 + (sentAt === undefined ? 5000 : 0);
  return [...byBlock.values()].flatMap(partsOf).map((points, index) => {
    const series = seriesOf(points);
    const bounds = boundsOf(series);
    return {
      step: 0,
      audience: points[0]!.audience,
      part: -(first + index),
      ...bounds,
      points: points.length,
      samples: samplesIn(series),
      bytes: packBlock(series, 0),
      due: bounds.ends < least ? least : null,
    };
  });
}

const partsOf = <T>(points: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(points.length / valueJob.pointsOfBlock) }, (_, index) =>
    points.slice(index * valueJob.pointsOfBlock, (index + 1) * valueJob.pointsOfBlock),
  );

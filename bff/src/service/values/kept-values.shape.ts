/** What is stored of the messages of a window, made where they are read. */
import type { KeptValues } from '../../contract.ts';
import { valueJob, valueLimits } from '../../limits/part-limits.ts';
import { readLast, writeLastWithin } from '../../store/last-values.ts';
import { defineShape } from '../../store/shape.ts';
import { noteLast } from './kept-keys.ts';
import { saidIn, type Said, type SaidRow } from './said-values.ts';
import { boundsOf, contentsOf, packBlock, readOpen, writeOpen } from './value-blocks.ts';

/** A row of a message, with what is stored of its device. */
export interface WindowRow extends SaidRow {
  ref: number;
  user_id: string;
  keep_values: KeptValues;
  values_since: string;
  open: string | null;
  opened_at: number | null;
  last: string | null;
  audiences: string | null;
}

/** The new row of a device. */
export interface KeptDevice {
  ref: number;
  user_id: string;
  values_since: string;
  open: string;
  /** In ms: when the text was begun; null if it is empty. */
  opened_at: number | null;
  last: string;
  audiences: string;
}

/** A new block of a device. */
export interface KeptBlock extends Pick<KeptDevice, 'ref' | 'user_id' | 'values_since'> {
  step: number;
  audience: number;
  part: number;
  starts: number;
  ends: number;
  points: number;
  bytes: Uint8Array;
}

export type KeptResult = { device: KeptDevice } | KeptBlock;

/** `part`: of the blocks, which no other window has. */
export const keptValues = defineShape(
  new URL('./kept-values.shape.ts', import.meta.url),
  'keptValues',
  (rows: readonly WindowRow[], { part }: { part: number }): KeptResult[] =>
    [...Map.groupBy(rows, ({ ref }) => ref).values()].flatMap((ofDevice) => keptOf(ofDevice, part)),
);

function keptOf(rows: readonly WindowRow[], part: number): KeptResult[] {
  const { ref, user_id, values_since, keep_values: keeps, ...before } = rows[0]!;
  const said = saidIn(rows, { keeps, since: Date.parse(values_since) });
  const audiences = JSON.parse(before.audiences ?? '[]') as string[][];
  const last = readLast(before.last ?? '[]');
  let open = before.open ?? '';
  for (const message of said) {
    const audience = audienceOf(audiences, message.swarms);
    const values = message.values.filter(([key, value]) => noteLast(last, { audience, key, value, at: message.at }));
    if (values.length > 0) open += writeOpen({ at: message.at, audience, values });
  }
  if (open === (before.open ?? '')) return [];
  const common = { ref, user_id, values_since };
  const isLong = open.length > valueJob.openLength;
  const blocks = isLong ? blocksOf(open).map((block) => ({ ...common, ...block, part })) : [];
  const opened_at = isLong ? null : (before.opened_at ?? said[0]!.sentAt);
  const texts = {
    open: isLong ? '' : open,
    opened_at,
    last: writeLastWithin(last, valueLimits.lastBytes),
    audiences: JSON.stringify(audiences),
  };
  return [{ device: { ...common, ...texts } }, ...blocks];
}

/** The newest points of a device, which are old, as blocks. */
export const closedValues = defineShape(
  new URL('./kept-values.shape.ts', import.meta.url),
  'closedValues',
  (rows: readonly (Pick<KeptDevice, 'ref' | 'user_id' | 'values_since' | 'open'> & { seq: number })[]): KeptBlock[] =>
    rows.flatMap(({ open, seq, ...common }) => blocksOf(open).map((block) => ({ ...common, ...block, part: seq }))),
);

function blocksOf(open: string) {
  return [...Map.groupBy(readOpen(open), ({ audience }) => audience)].map(([audience, points]) => {
    const contents = contentsOf(points);
    return { step: 0, audience, ...boundsOf(contents), points: points.length, bytes: packBlock(contents, 0) };
  });
}

/** Ids are ASCII: a byte of each character. */
const lengthOf = (audiences: string[][]) => JSON.stringify(audiences).length;

/** The number of these swarms, which may be a new one. 0 if there are too many. */
function audienceOf(audiences: string[][], swarms: Said['swarms']): number {
  const isSame = (other: string[]) =>
    other.length === swarms.length && other.every((id, index) => id === swarms[index]);
  const place = audiences.findIndex(isSame);
  if (place !== -1) return place + 1;
  const isFull =
    audiences.length >= valueLimits.audiences || lengthOf([...audiences, swarms]) > valueLimits.audienceBytes;
  return isFull ? 0 : audiences.push(swarms);
}

/** Blocks of a device that are summarised into longer steps, made where they are read. */
import { valueLimits } from './limits.ts';
import { defineShape } from '../../core/store/shape.ts';
import { blockKeyOf, boundsOf, packBlock, unpackBlock } from './value-blocks.ts';
import { emptySeries, listOf, samplesIn, seriesInSteps, sortSeries, type SeriesByKey } from './value-steps.ts';

interface BlockRow {
  step: number;
  audience: number;
  part: number;
  content: Uint8Array;
}

export interface CompactedBlock {
  audience: number;
  part: number;
  starts: number;
  ends: number;
  points: number;
  bytes: Uint8Array;
}

/** `rows`: the blocks with shorter steps, and those with steps of `step` seconds to which they are added. */
export const compactedValues = defineShape(
  new URL('./compacted-values.shape.ts', import.meta.url),
  'compactedValues',
  (rows: readonly BlockRow[], { step }: { step: number }): CompactedBlock[] =>
    [...Map.groupBy(rows, ({ audience }) => audience)].flatMap(([audience, ofAudience]) => {
      const byBlockKey = seriesByBlockKey(
        ofAudience.filter((row) => row.step !== step),
        step,
      );
      return [...byBlockKey].map(([blockKey, added]) => {
        const before = ofAudience.find((row) => row.step === step && row.part === blockKey);
        const series = before ? unpackBlock(before.content, step) : emptySeries();
        addSeries(series, added);
        sortSeries(series);
        const merged = seriesInSteps(series, { stepMs: step * 1000, statesOfHour: valueLimits.changesOfHour });
        return {
          audience,
          part: blockKey,
          ...boundsOf(merged),
          points: samplesIn(merged),
          bytes: packBlock(merged, step),
        };
      });
    }),
);

/** What these blocks have, by the keys of the blocks with the longer steps. */
function seriesByBlockKey(rows: readonly BlockRow[], step: number): Map<number, SeriesByKey> {
  const byBlockKey = new Map<number, SeriesByKey>();
  const seriesAt = (at: number): SeriesByKey => {
    const blockKey = blockKeyOf(at, step);
    let series = byBlockKey.get(blockKey);
    if (!series) byBlockKey.set(blockKey, (series = emptySeries()));
    return series;
  };
  for (const row of rows) {
    const { numbers, states } = unpackBlock(row.content, row.step);
    for (const [key, samples] of numbers)
      for (const sample of samples) listOf(seriesAt(sample.at).numbers, key).push(sample);
    for (const [key, changes] of states)
      for (const change of changes) listOf(seriesAt(change[0]).states, key).push(change);
  }
  for (const series of byBlockKey.values()) sortSeries(series);
  return byBlockKey;
}

/** Adds what `from` has, and sorts nothing. */
function addSeries(to: SeriesByKey, from: SeriesByKey): void {
  for (const [key, samples] of from.numbers) for (const each of samples) listOf(to.numbers, key).push(each);
  for (const [key, changes] of from.states) for (const each of changes) listOf(to.states, key).push(each);
}

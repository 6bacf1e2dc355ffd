/** Blocks of a device that are summarised into longer steps, made where they are read. */
import { dayMs } from '../../limits/durations.ts';
import { valueLimits } from '../../limits/part-limits.ts';
import { defineShape } from '../../store/shape.ts';
import { boundsOf, packBlock, unpackBlock } from './value-blocks.ts';
import { emptySeries, listOf, seriesInSteps, sortSeries, type SeriesByKey } from './value-steps.ts';

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

/**
 * The blocks of hourly steps have a week, those of shorter ones a day: a read unpacks whole blocks, and no read may take long. Older versions made
 * hourly ones of a month, whose numbers are greater.
 */
const blockKeyOf = (at: number, step: number): number => Math.floor(at / (step < 3600 ? dayMs : 7 * dayMs));

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
          points: pointsIn(merged),
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

const pointsIn = ({ numbers, states }: SeriesByKey): number =>
  [...numbers.values(), ...states.values()].reduce((sum, list) => sum + list.length, 0);

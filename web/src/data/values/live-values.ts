/** What the stream brings while charts are open. The series of before are read (values.api.ts). */
import { hourMs } from '@swarmdeck/bff/durations';
import { queryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { NewMessages } from '../cache/cached-messages.ts';
import { patchQueries } from '../cache/query-cache.ts';
import { liveSourceIn } from '../cache/key-parts.ts';
import { queryKeys } from '../cache/query-keys.ts';
import { firstAfter, seriesOf, withNewer, type Series } from './series.ts';
import { readAgain } from './values.api.ts';

/** More than a chart has pixels. */
const mostValues = 4000;
/** Of these, so many of the newest as they were sent. */
const exactValues = 200;
/** In ms. A chart reads its values again each hour, and what is new in the same moment may be late. */
const keptMs = 2 * hourMs;
/** Which device says what: more than anybody chooses from. */
const mostKnown = 1000;

/** A device, or one key of some devices of a swarm; without these, only which of its devices says what. */
type LiveSource = { resource_id: string } | { swarm_id: string; key?: string; resource_ids?: readonly string[] };

/** The series of what has come since the page was opened. Nothing is requested. */
export const liveValuesQuery = (source: LiveSource) =>
  queryOptions({
    queryKey: queryKeys.values.live(source),
    queryFn: (): Series[] => [],
    staleTime: Infinity,
    // As long as what was read: a choice that comes back has all that came meanwhile.
    gcTime: readAgain,
    structuralSharing: false,
  });

/** Adds new messages to the open charts. Returns the queries that must be fetched again, because some are missing. */
export function addLiveValues(client: QueryClient, { swarm_id, items, skipped }: NewMessages): QueryKey[] {
  // What was sent to one device is no value.
  const newer = seriesOf(items.filter(({ to }) => to === undefined));
  patchQueries<Series[]>(client, queryKeys.values.everyLive, (series, queryKey) => {
    const { resource_id, swarm_id: ofSwarm, key, resource_ids: ids } = liveSourceIn(queryKey) ?? {};
    if (resource_id === undefined && ofSwarm !== swarm_id) return series;
    if (resource_id === undefined && key === undefined) return withKnown(series, newer);
    const isMeant = (each: Series) =>
      resource_id === undefined
        ? each.key === key && ids?.includes(each.resource_id)
        : each.resource_id === resource_id;
    const meant = newer.filter(isMeant);
    return meant.length === 0 ? series : withNewer(series, meant).map(drawable);
  });
  return skipped > 0 || items.length === 0 ? [queryKeys.values.read] : [];
}

/** With series that are not known yet, each with one value. Charts of a swarm have one key of a few devices. */
function withKnown(known: Series[], newer: readonly Series[]): Series[] {
  if (known.length >= mostKnown) return known;
  const ids = new Set(known.map(({ id }) => id));
  const added = newer.filter(({ id }) => !ids.has(id)).slice(0, mostKnown - known.length);
  if (added.length === 0) return known;
  const first = (series: Series) => ({ ...series, times: series.times.slice(0, 1), values: series.values.slice(0, 1) });
  return [...known, ...added.map(first)];
}

/** No longer than what a chart can draw. Its older values become steps, which are longer each time. */
function drawable(series: Series): Series {
  const { times, kind } = series;
  if (times.length <= mostValues) return series;
  const start = firstAfter(times, times.at(-1)! - keptMs);
  const length = (times.at(-1)! - times[start]!) / (mostValues / 2);
  return kind === 'number' ? inSteps(series, start, length) : changesOf(series, start, length);
}

function inSteps({ counts, ...series }: Series, start: number, length: number): Series {
  const values = series.values as number[];
  const { times, least = values, most = values } = series;
  const steps = { times: [] as number[], values: [] as number[], least: [] as number[], most: [] as number[] };
  const sums: number[] = [];
  for (let [index, end] = [start, -Infinity]; index < times.length; index++) {
    const count = counts?.[index] ?? 1;
    if (times[index]! >= end || index >= times.length - exactValues) {
      end = times[index]! + length;
      steps.times.push(times[index]!);
      steps.values.push(values[index]!);
      steps.least.push(least[index]!);
      steps.most.push(most[index]!);
      sums.push(count);
    } else {
      const last = sums.length - 1;
      sums[last]! += count;
      // The sum of large numbers would be infinite.
      steps.values[last]! += (values[index]! - steps.values[last]!) * (count / sums[last]!);
      steps.least[last] = Math.min(steps.least[last]!, least[index]!);
      steps.most[last] = Math.max(steps.most[last]!, most[index]!);
    }
  }
  return { ...series, ...steps, counts: sums };
}

/** Changes that are shorter than a step are left out. */
function changesOf(series: Series, start: number, length: number): Series {
  const { times, values } = series;
  const kept: number[] = [];
  for (let index = start; index < times.length; index++) {
    const isLate = kept.length === 0 || times[index]! - times[kept.at(-1)!]! >= length;
    if (isLate || index >= times.length - exactValues) kept.push(index);
  }
  return { ...series, times: kept.map((index) => times[index]!), values: kept.map((index) => values[index]!) };
}

/** What the stream brings while charts are open. The series of before are read (values.api.ts). */
import { queryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { NewMessages } from '../cache/cached-messages.ts';
import { patchQueries } from '../cache/query-cache.ts';
import { liveSourceIn } from '../cache/key-parts.ts';
import { queryKeys } from '../cache/query-keys.ts';
import { seriesOf, withNewer, type Series } from './series.ts';

/** The newest values of a series: more than a screen has pixels. */
const mostValues = 20_000;

/** A device, or a swarm. */
type LiveSource = { resource_id: string } | { swarm_id: string };

/** The series of what has come since the page was opened. Nothing is requested. */
export const liveValuesQuery = (source: LiveSource) =>
  queryOptions({
    queryKey: queryKeys.values.live(source),
    queryFn: (): Series[] => [],
    staleTime: Infinity,
    gcTime: 0,
    structuralSharing: false,
  });

/** Adds new messages to the open charts. Returns the queries that must be fetched again, because some are missing. */
export function addLiveValues(client: QueryClient, { swarm_id, items, skipped }: NewMessages): QueryKey[] {
  // What was sent to one device is no value.
  const sent = items.filter(({ to }) => to === undefined);
  patchQueries<Series[]>(client, queryKeys.values.everyLive, (series, key) => {
    const { resource_id, swarm_id: ofSwarm } = liveSourceIn(key) ?? {};
    const meant = sent.filter(({ from }) => (resource_id === undefined ? ofSwarm === swarm_id : from === resource_id));
    return meant.length === 0 ? series : withNewer(series, seriesOf(meant)).map(newestOf);
  });
  return skipped > 0 || items.length === 0 ? [queryKeys.values.read] : [];
}

function newestOf(series: Series): Series {
  if (series.times.length <= mostValues) return series;
  return { ...series, times: series.times.slice(-mostValues), values: series.values.slice(-mostValues) };
}

/** How cached queries are refetched and changed in place. changes.ts decides which ones. */
import {
  hashKey,
  partialMatchKey,
  useQueryClient,
  type Query,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { isLive } from '../stream/connection-status.ts';
import { beginsWith } from './key-parts.ts';
import { queryKeys } from './query-keys.ts';
import { noteOutdated } from './read-until.ts';
import { useFetched } from './use-fetched.ts';

/** Queries by the beginning of their keys. */
export interface Outdated {
  /** Fetched again if they are shown, otherwise when they are shown next. */
  refetch?: readonly QueryKey[];
  /** Fetched again when they are shown next. */
  refetchLater?: readonly QueryKey[];
  /** Fetched again only if they have no data yet, because the running fetch may return an older state. */
  refetchIfNoData?: readonly QueryKey[];
}

/** If more keys of a family are outdated, they are replaced by its root. */
const mostKeys = 200;
const familiesById: readonly unknown[] = [
  queryKeys.device.everyOne,
  queryKeys.device.rows,
  queryKeys.swarm.everyOne,
].flat();

/** Removes duplicate keys. */
export function distinct(keys: readonly QueryKey[]): QueryKey[] {
  const byHash = new Map(keys.map((key) => [hashKey(key), key]));
  return [...Map.groupBy(byHash.values(), ([root]) => root)].flatMap(([root, family]) =>
    family.length > mostKeys && familiesById.includes(root) ? [[root]] : family,
  );
}

const reading = new WeakSet<Query>();

/** `isMeant`: the other queries are left as they are. */
export async function refetchOutdated(
  client: QueryClient,
  outdated: Outdated,
  isMeant: (query: Query) => boolean = () => true,
): Promise<void> {
  const { refetch = [], refetchLater = [], refetchIfNoData = [] } = outdated;
  const matches = (keys: readonly QueryKey[], query: Query) => keys.some((key) => partialMatchKey(query.queryKey, key));
  const hasNoData = (query: Query) => query.state.data === undefined;
  const isOutdated = (query: Query) =>
    isMeant(query) && (matches(refetch, query) || (hasNoData(query) && matches(refetchIfNoData, query)));

  const firstReads = client
    .getQueryCache()
    .findAll({ type: 'active', fetchStatus: 'fetching' })
    .filter((query) => hasNoData(query) && isOutdated(query) && !reading.has(query));
  if (refetchLater.length > 0) {
    void invalidate(client, (query) => matches(refetchLater, query), { refetchType: 'none' });
  }
  await Promise.all([invalidate(client, isOutdated), ...firstReads.map((query) => readTwice(client, query))]);
}

function invalidate(
  client: QueryClient,
  predicate: (query: Query) => boolean,
  options: { refetchType?: 'none' } = {},
): Promise<void> {
  for (const query of client.getQueryCache().findAll({ predicate })) noteOutdated(query);
  return client.invalidateQueries({ predicate, ...options });
}

/**
 * TanStack Query cancels a running fetch and starts again, except for the first fetch of a query. That one is not
 * cancelled here either: if changes arrive faster than responses, there would never be a response.
 */
async function readTwice(client: QueryClient, query: Query): Promise<void> {
  reading.add(query);
  await query.promise?.catch(() => undefined);
  reading.delete(query);
  if (query.state.data !== undefined) await invalidate(client, (each) => each === query);
}

/**
 * Changes the cached data of all queries whose key begins with `key`. Keeps each query's age, its invalidated flag and its error:
 * what the server does not have any more does not come back by a patch. `change` returns the same object if nothing changes.
 */
export function patchQueries<Data>(
  client: QueryClient,
  key: QueryKey,
  change: (data: Data, queryKey: QueryKey) => Data,
): void {
  for (const query of client.getQueryCache().findAll({ predicate: ({ queryKey }) => beginsWith(queryKey, key) })) {
    const apply = () => {
      const { data, dataUpdatedAt, isInvalidated, status, error } = query.state;
      if (data === undefined) return;
      const changed = change(data as Data, query.queryKey);
      if (changed === data) return;
      query.setData(changed, { updatedAt: dataUpdatedAt, manual: true });
      if (isInvalidated) query.invalidate();
      if (error) query.setState({ status, error });
    };
    apply();
    // A running fetch of the next page returns the earlier pages as they were when it started.
    const { fetchStatus, fetchMeta } = query.state;
    if (fetchStatus === 'fetching' && fetchMeta?.fetchMore) void query.promise?.then(apply, () => undefined);
  }
}

/** The time of a response is another one each time. Without it, a response without changes renders nothing. */
export function withoutTime<Answer extends object>(answer: Answer): Omit<Answer, 'at'> {
  const { at: _at, ...rest } = answer as Answer & { at?: string };
  return rest;
}

/**
 * Without the event stream, the map is fetched together with the list or the counts beside it. With the stream, the events that
 * change these change the map too.
 */
export function useMapWith(query: { queryKey: QueryKey }): void {
  const client = useQueryClient();
  useFetched(query, () => {
    const isFirst = client.getQueryState(query.queryKey)?.dataUpdateCount === 1;
    if (!isFirst && !isLive()) void client.invalidateQueries({ queryKey: queryKeys.map.all });
  });
}

import { hashKey, type Query } from '@tanstack/react-query';
import { liveUntil } from '../stream/connection-status.ts';
import { queryKeys } from './query-keys.ts';

type Read = Pick<Query, 'queryKey' | 'state' | 'meta'>;

/** `dataUpdatedAt` of the data that is known to be outdated, by query. Needed because a failed read also sets `isInvalidated`. */
const outdated = new WeakMap<object, number>();

/** Call it when the data of a query has changed on the server, or may have. */
export function noteOutdated(query: Pick<Read, 'state'>): void {
  outdated.set(query, query.state.dataUpdatedAt);
}

/**
 * Until when the data of a query was current, in ms of the local clock; 0 without data. The stream keeps it current after it
 * was read, unless an event has said that it must be read again. `live`: until when its events are complete.
 */
export function readUntil(query: Pick<Read, 'state'>, live = liveUntil()): number {
  const { dataUpdatedAt, errorUpdatedAt, isInvalidated, status } = query.state;
  const hasFailed = status === 'error';
  const isOutdated = hasFailed ? outdated.get(query) === dataUpdatedAt : isInvalidated;
  if (dataUpdatedAt === 0 || isOutdated) return dataUpdatedAt;
  // A failed read ends it, also while the stream is live: the time that a notice shows must not move on by itself.
  return Math.max(dataUpdatedAt, Math.min(live, hasFailed ? errorUpdatedAt : Infinity));
}

/** What is on every page, or does not age. Pages about these have other queries, which age: the inbox its lists. */
const ageless: ReadonlySet<string> = new Set(
  [
    queryKeys.account,
    queryKeys.actions.open,
    queryKeys.savedViews,
    queryKeys.offers,
    queryKeys.activity.unread,
    queryKeys.invitations.count,
    queryKeys.tiles,
  ].map((key) => hashKey(key)),
);

/** `meta.isLocal`: it is read from this browser, so it is always of now. */
const isAging = ({ queryKey, meta }: Read) => !ageless.has(hashKey(queryKey)) && meta?.['isLocal'] !== true;

/** The time of the oldest data among these queries of a screen, by which a notice says how old it is; undefined if there is none. */
export function oldestRead(queries: readonly Read[], live = liveUntil()): number | undefined {
  const times = queries.filter(isAging).map((query) => readUntil(query, live));
  const read = times.filter((at) => at > 0);
  return read.length === 0 ? undefined : Math.min(...read);
}

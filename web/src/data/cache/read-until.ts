import type { Query } from '@tanstack/react-query';
import { liveUntil } from '../stream/connection-status.ts';
import { queryKeys } from './query-keys.ts';

type Read = Pick<Query, 'queryKey' | 'state'>;

/**
 * Until when the data of a query was current, in ms of the local clock; 0 without data. The stream keeps it current after it
 * was read, unless an event has said that it must be read again.
 */
export function readUntil({ state: { dataUpdatedAt, isInvalidated } }: Pick<Read, 'state'>): number {
  return dataUpdatedAt === 0 || isInvalidated ? dataUpdatedAt : Math.max(dataUpdatedAt, liveUntil());
}

/** Pages show nothing of these that ages, and they are read rarely. */
const ageless: ReadonlySet<unknown> = new Set(
  [queryKeys.account, queryKeys.savedViews, queryKeys.offers, queryKeys.activity.all, queryKeys.tiles].map(
    ([root]) => root,
  ),
);

/** The time of the oldest data among these queries of a screen, by which a notice says how old it is; undefined if there is none. */
export function oldestRead(queries: readonly Read[]): number | undefined {
  const times = queries.filter(({ queryKey }) => !ageless.has(queryKey[0])).map(readUntil);
  const read = times.filter((at) => at > 0);
  return read.length === 0 ? undefined : Math.min(...read);
}

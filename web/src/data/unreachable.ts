import { notifyManager, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { subscribeToNetwork } from './listeners.ts';
import { isUnreachable } from './problem.ts';
import { oldestRead } from './cache/read-until.ts';
import { isLive, liveUntil } from './stream/connection-status.ts';

/** Queries on the screen whose last request did not reach the server. */
export function unreachableQueries(client: QueryClient) {
  return client.getQueryCache().findAll({ type: 'active', predicate: (query) => isUnreachable(query.state.error) });
}

/** Whether the server cannot be reached because the browser is offline. Without a network, a local server still can. */
export function useOffline(): boolean {
  const hasNetwork = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  return useUnreachable() !== null && !hasNetwork;
}

/**
 * Null while the server answers. Otherwise `since` is when the oldest data on the screen was read (ms, local clock), or
 * null if it shows none that ages.
 */
export function useUnreachable(): { since: number | null } | null {
  const client = useQueryClient();
  const subscribe = useCallback(
    (changed: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(changed)),
    [client],
  );
  const since = useSyncExternalStore(subscribe, () => {
    const away = unreachableQueries(client);
    if (away.length === 0) return null;
    const failedAt = Math.min(...away.map(({ state }) => state.errorUpdatedAt));
    // While the stream still counts as live, it is so until now: that would be another value in each call.
    const live = isLive() ? failedAt : liveUntil();
    // Nothing else on the screen is read again either. With only those that failed, the age would change with each that fails.
    const read = oldestRead(client.getQueryCache().findAll({ type: 'active' }), live);
    return read === undefined ? Infinity : Math.min(read, failedAt);
  });
  // Infinity: nothing that ages is shown.
  return since === null ? null : { since: Number.isFinite(since) ? since : null };
}

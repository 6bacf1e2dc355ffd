import { notifyManager, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { isAway } from './problem.ts';

const here = -1;

/** Queries somebody looks at whose last try found nobody there. */
export function awayQueries(client: QueryClient) {
  return client.getQueryCache().findAll({ type: 'active', predicate: (query) => isAway(query.state.error) });
}

/**
 * Null while the service answers. Else `since`: when what is on the screen was last true (ms, this machine's clock),
 * null where there is nothing on it yet.
 */
export function useAway(): { since: number | null } | null {
  const client = useQueryClient();
  const subscribe = useCallback(
    (changed: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(changed)),
    [client],
  );
  const since = useSyncExternalStore(subscribe, () => {
    const away = awayQueries(client);
    return away.length === 0 ? here : Math.max(...away.map((query) => query.state.dataUpdatedAt));
  });
  if (since === here) return null;
  return { since: since === 0 ? null : since };
}

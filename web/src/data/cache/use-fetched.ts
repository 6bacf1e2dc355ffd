import { hashKey, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

/** Calls `onFetched` with the data of each successful fetch of a query. It causes no render. */
export function useFetched<Data>({ queryKey }: { queryKey: QueryKey }, onFetched: (data: Data) => void): void {
  const client = useQueryClient();
  const hash = hashKey(queryKey);
  const fetched = useEffectEvent(onFetched);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        const action = event.type === 'updated' && event.query.queryHash === hash && event.action;
        if (action && action.type === 'success' && !action.manual) fetched(action.data as Data);
      }),
    [client, hash],
  );
}

import { queryOptions } from '@tanstack/react-query';
import { read } from '../../data/client.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';

/** The devices that rows with an id may change. */
export const ownedQuery = queryOptions({
  queryKey: queryKeys.devices.owned,
  queryFn: ({ signal }) => read('/api/resources', {}, { signal }),
  staleTime: 30_000,
  gcTime: 60_000,
  structuralSharing: false,
});

import { queryOptions } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { send } from '../../data/client.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';

/** The devices that rows with an id may change. */
export const ownedQuery = queryOptions({
  queryKey: queryKeys.devices.owned,
  queryFn: async ({ signal }) => (await send<Resource[]>({ path: '/api/resources', signal })).data,
  staleTime: 30_000,
  gcTime: 60_000,
  structuralSharing: false,
});
